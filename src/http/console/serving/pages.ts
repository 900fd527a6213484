import type { ConsolePage } from '../console-page.js'
import { consoleHome } from '../home/console-home.js'
import { decideAlikePage } from '../money/decide-alike.js'
import { firstPaymentPage } from '../money/first-payment-page.js'
import { derivedPages, objectsPage, resourcePages } from '../objects/show-resource.js'
import { CONSOLE_RESOURCES } from '../records/console-resources.js'
import { settingsPage } from '../records/settings-page.js'
import { reportPage } from '../reports/report-page.js'
import { searchPage } from '../search/search-page.js'

/** Pages of the console: the first that matches a path answers, so pages made by hand come before derived pages. */
export const CONSOLE_PAGES: readonly ConsolePage[] = [
  consoleHome,
  searchPage,
  reportPage,
  decideAlikePage,
  firstPaymentPage,
  settingsPage,
  ...CONSOLE_RESOURCES.flatMap(resourcePages),
  objectsPage,
  derivedPages,
]
