import { answeredText } from '../../../schema/answer-values.js'
import { reaches } from '../../../schema/role.js'
import { pageAddress } from '../../html/page-address.js'
import { consoleAddress } from '../console-page.js'
import { activityOf } from '../lists/activity-list.js'
import { valueContextOf } from '../lists/value-context.js'
import { objectPage } from '../objects/object-page.js'
import type { ResourcePages } from '../objects/resource-pages.js'
import { ALIKE } from './decide-alike.js'
import { exceptionHtml } from './exception-html.js'
import { exceptionHeading } from './exception-words.js'
import { resolveWrite } from './exception-write.js'

/** Exceptions: those that wait for a decision first, each with its resolutions. */
export const exceptionPages: ResourcePages = {
  resource: 'exception',
  at: ['exceptions'],
  list: {
    first: {
      query: [
        ['status', 'open'],
        ['order_by', 'created_at'],
      ],
      unmatched: 'No exception waits for a decision.',
    },
    links: [{ label: 'Decide many alike', path: ALIKE, isFiltered: true, least: 'manager' }],
    heading: 'Exceptions',
    lead: 'What gateways and banks said that does not fit the books. Each waits until somebody decides.',
    columns: ['created_at', 'kind', 'happened', 'amount', 'status', 'gateway', 'transaction_id'],
    empty: { what: 'No exceptions: all that gateways and banks said fits the books.' },
  },
  object: objectPage({
    fields: () => ['notice'],
    title: (exception) => exceptionHeading(answeredText(exception, 'kind')),
    body: async (exception, { request, resource, id }) => {
      const { environment, principal } = request.visitor
      return exceptionHtml({
        exception,
        values: valueContextOf(request.visitor),
        resolve: reaches(principal.role ?? 'owner', resource.least)
          ? (resolution) =>
              pageAddress(
                consoleAddress(environment, ['exceptions', id, 'resolve'], [['resolution', resolution]]),
              )
          : undefined,
        activity: await activityOf(request, id),
      })
    },
  }),
  writes: [resolveWrite],
}
