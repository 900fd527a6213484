import { activityPage } from '../activity/activity-page.js'
import type { ConsolePage } from '../console-page.js'
import { consoleHome } from '../home/console-home.js'
import { MONEY_PAGES } from '../money/money-pages.js'
import { derivedPages, objectsPage } from '../objects/derived-pages.js'
import { offerPages } from '../offers/offer-pages.js'
import { recordLists } from '../records/record-lists.js'
import { recordPages } from '../records/record-pages.js'
import { settingsPage } from '../records/settings-page.js'
import { reportPage } from '../reports/report-page.js'
import { searchPage } from '../search/search-page.js'

/** Pages of the console: the first that matches a path answers, so pages made by hand come before derived pages. */
export const CONSOLE_PAGES: readonly ConsolePage[] = [
  consoleHome,
  searchPage,
  activityPage,
  reportPage,
  ...MONEY_PAGES,
  offerPages,
  settingsPage,
  ...recordLists,
  ...recordPages,
  objectsPage,
  derivedPages,
]
