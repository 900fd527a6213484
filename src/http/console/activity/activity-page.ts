import type { ConsolePage } from '../console-page.js'
import { activityList } from '../lists/activity-list.js'
import { listPage } from '../lists/list-page.js'

/** List of the activity, with filters and exports. The page of a single line is in `derivedPages`. */
export const activityPage: ConsolePage = {
  matches: ([first, ...more]) => first === 'activity' && more.length === 0,
  get: async (request) => await listPage(request, activityList(request.visitor)),
}
