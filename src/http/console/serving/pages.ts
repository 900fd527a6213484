import type { ConsolePage } from '../console-page.js'
import { homePage } from '../home/home-page.js'
import { MONEY_PAGES } from '../money/money-pages.js'
import { derivedPages, objectsPage } from '../objects/derived-pages.js'

/** Pages of the console: the first that matches a path answers, so pages made by hand come before derived ones. */
export const CONSOLE_PAGES: readonly ConsolePage[] = [homePage, ...MONEY_PAGES, objectsPage, derivedPages]
