import { answeredText } from '../../../schema/answer-values.js'
import { reaches } from '../../../schema/role.js'
import type { Html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { type ConsolePage, type ConsoleRequest, consoleAddress } from '../console-page.js'
import { actionLink } from '../elements/list-html.js'
import { activityOf } from '../lists/activity-of.js'
import { objectElsewhere } from '../lists/elsewhere-of.js'
import { listPage } from '../lists/list-page.js'
import { parseListQuery } from '../lists/list-query.js'
import { valueContextOf } from '../lists/value-context.js'
import { ALIKE } from './decide-alike.js'
import { exceptionHtml } from './exception-html.js'
import { exceptionHeading } from './exception-words.js'

/** Exceptions that wait for a decision, the oldest first; with filters, all exceptions that match them. */
export const exceptionsPage: ConsolePage = {
  matches: ([page, ...more]) => page === 'exceptions' && more.length === 0,
  get: async (request) =>
    await listPage(request.query.length > 0 ? request : { ...request, query: WAITING }, {
      ...(request.query.length === 0 && { unmatched: 'No exception waits for a decision.' }),
      actions: alikeLinks(request),
      resource: request.visitor.app.model.get('exception'),
      heading: 'Exceptions',
      lead: 'What gateways and banks said that does not fit the books. Each waits until somebody decides.',
      columns: ['created_at', 'kind', 'happened', 'amount', 'status', 'gateway', 'transaction_id'],
      empty: { what: 'No exceptions: all that gateways and banks said fits the books.' },
    }),
}

/** Link to the page that decides all listed exceptions at once, if the visitor's role may decide. */
function alikeLinks({ visitor, query }: ConsoleRequest): readonly Html[] {
  const { least } = visitor.app.model.get('exception')
  if (!reaches(visitor.principal.role ?? 'owner', least)) return []
  const { filters } = parseListQuery(query)
  const address = consoleAddress(visitor.environment, ALIKE, filters)
  return [actionLink(pageAddress(address), 'Decide many alike')]
}

const WAITING = [
  ['status', 'open'],
  ['order_by', 'created_at'],
] as const

export const exceptionPage: ConsolePage = {
  matches: ([page, id, ...more]) => page === 'exceptions' && id !== undefined && more.length === 0,
  async get(request) {
    const { visitor, path } = request
    const { app, environment, principal } = visitor
    const id = path[1] ?? ''
    const answer = await request.ask('GET', `/admin/exceptions/${encodeURIComponent(id)}`, {
      query: [['fields', '*,notice']],
    })
    if (answer.status === 404) return { kind: 'missing' }
    if (answer.status !== 200) return { kind: 'refused', answer }
    const body = exceptionHtml({
      exception: answer.body,
      values: valueContextOf(visitor),
      list: pageAddress(consoleAddress(environment, ['exceptions'])),
      resolve: reaches(principal.role ?? 'owner', app.model.get('exception').least)
        ? (resolution) =>
            pageAddress(
              consoleAddress(environment, ['exceptions', id, 'resolve'], [['resolution', resolution]]),
            )
        : undefined,
      activity: await activityOf(request, id),
    })
    return {
      kind: 'page',
      title: exceptionHeading(answeredText(answer.body, 'kind')),
      body,
      elsewhere: objectElsewhere(visitor, app.model.get('exception'), id),
    }
  },
}
