import { cardHtml } from '../../views/console/facts.js'
import type { Html } from '../../views/html.js'
import { html } from '../../views/html.js'
import type { ConsoleRequest } from '../console-page.js'
import { rowsOf } from './list-answer.js'
import { rowsHtml } from './list-rows.js'

/** Lines of activity that the page of an object shows. */
const MAX_LINES = 20

const COLUMNS = ['created_at', 'by_id', 'through', 'action', 'amount', 'reason', 'outcome']

/** What was done to an object, newest first; undefined where nobody did anything, or the visitor may not see it. */
export async function activityOf(request: ConsoleRequest, id: string): Promise<Html | undefined> {
  const resource = request.visitor.app.model.get('activity')
  const answer = await request.ask('GET', `/${resource.plural}`, {
    query: [
      ['object_id', id],
      ['fields', ['id', ...COLUMNS].join()],
      ['limit', String(MAX_LINES)],
    ],
  })
  const rows = rowsOf(answer)
  if (rows.length === 0) return undefined
  const options = { resource, heading: 'Activity' }
  const plain = { ...request, query: [] }
  return cardHtml(
    'Activity',
    html`${rowsHtml({ id: 'activity', columns: COLUMNS, options, request: plain }, rows, false)}`,
  )
}
