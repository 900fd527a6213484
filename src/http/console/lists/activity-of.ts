import type { Html } from '../../html/html.js'
import type { ConsoleRequest } from '../console-page.js'
import { cardHtml } from '../elements/facts.js'
import { activityList } from './activity-list.js'
import { objectsOf } from './list-answer.js'
import { rowsHtml } from './list-rows.js'

/** Lines of activity that the page of an object shows. */
const MAX_LINES = 20

/** Card with the activity of an object, newest first; undefined if there is none that the visitor may see. */
export async function activityOf(request: ConsoleRequest, id: string): Promise<Html | undefined> {
  const options = activityList(request.visitor)
  const columns = options.columns.filter((name) => name !== 'object_id')
  const answer = await request.ask('GET', `/${options.resource.plural}`, {
    query: [
      ['object_id', id],
      ['fields', ['id', ...columns, ...options.also].join()],
      ['limit', String(MAX_LINES)],
    ],
  })
  const rows = objectsOf(answer)
  if (rows.length === 0) return undefined
  const plain = { ...request, path: ['activity'], query: [] }
  const table = { id: 'activity', columns, options, request: plain }
  return cardHtml('Activity', await rowsHtml(table, rows, false))
}
