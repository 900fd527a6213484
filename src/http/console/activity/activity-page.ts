import type { ConsolePage } from '../console-page.js'
import { activityList } from '../lists/activity-list.js'
import { listPage } from '../lists/list-page.js'

/** Who did what, with filters and exports; each line has a page of its own among the derived ones. */
export const activityPage: ConsolePage = {
  matches: ([first, ...more]) => first === 'activity' && more.length === 0,
  get: async (request) => await listPage(request, activityList(request.visitor)),
}
