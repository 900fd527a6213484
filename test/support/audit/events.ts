import type { TransactionRow } from '../../../src/store/tables.js'
import { grouped, type Kept } from './kept.js'

/** Each transaction has told its story once, in order. Money: "Webhooks". */
export function eventProblems({ transactions, events }: Kept): string[] {
  const ids = new Set(transactions.map(({ id }) => id))
  const eventsOf = grouped(events, (event) => event.object_id)
  const stray = events.filter(({ object, object_id }) => object === 'transaction' && !ids.has(object_id))
  return [
    ...stray.map(({ id, object_id }) => `event ${id} is about ${object_id}, which is not there`),
    ...transactions.flatMap((row) => {
      const told = (eventsOf.get(row.id) ?? []).map(({ trigger, value }) => `${trigger} ${value}`).join(', ')
      const stories = storiesOf(row)
      return stories.includes(told)
        ? []
        : [`${row.id} tells ${told || 'nothing'}, not ${stories.join(' or ')}`]
    }),
  ]
}

const TAKEN = 'payment processed, processed processed'
const HELD = 'payment authorized, authorized authorized'

/** What may have happened to a transaction that is as it is now. */
function storiesOf({ type, status, asked_status }: TransactionRow): string[] {
  if (status === 'declined') return ['decline declined']
  if (type !== 'payment') return [`${type} ${status}`]
  const begun = asked_status === 'authorized' ? [HELD, `${HELD}, processed processed`] : [TAKEN]
  if (status === 'voided') return begun.map((story) => `${story}, void voided`)
  return status === 'authorized' ? [HELD] : begun.slice(-1)
}
