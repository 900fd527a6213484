import type { TransactionRow } from '../../../src/engine/store/database/tables.js'
import { grouped, type Kept } from './kept.js'

/** Each transaction has told its story once, in order. Money: "Webhooks". */
export function eventProblems(kept: Kept): string[] {
  const { transactions, events } = kept
  const ids = new Set(transactions.map(({ id }) => id))
  const eventsOf = grouped(events, (event) => event.object_id)
  const disputes = chargebacksOf(kept)
  const stray = events.filter(({ object, object_id }) => object === 'transaction' && !ids.has(object_id))
  return [
    ...stray.map(({ id, object_id }) => `event ${id} is about ${object_id}, which is not there`),
    ...transactions.flatMap((row) => {
      const own = (eventsOf.get(row.id) ?? []).map(({ trigger, value }) => `${trigger} ${value}`)
      const disputed = own.findIndex((event) => event.startsWith('reject '))
      const told = own.slice(0, disputed < 0 ? undefined : disputed).join(', ')
      const stories = storiesOf(row)
      return stories.includes(told)
        ? disputeProblems(
            row,
            own.slice(told === '' ? 0 : told.split(', ').length),
            disputes.get(row.id) ?? 0,
          )
        : [`${row.id} tells ${told || 'nothing'}, not ${stories.join(' or ')}`]
    }),
  ]
}

const TAKEN = 'payment processed, processed processed'
const HELD = 'payment authorized, authorized authorized'

/** What may have happened to a transaction that is as it is now. */
function storiesOf({ type, status, asked_status }: TransactionRow): string[] {
  if (status === 'declined') return ['decline declined']
  if (type === 'chargeback' || type === 'chargeback_reversal') return ['']
  if (type !== 'payment') return [`${type} ${status}`]
  const begun = asked_status === 'authorized' ? [HELD, `${HELD}, processed processed`] : [TAKEN]
  if (status === 'voided') return begun.map((story) => `${story}, void voided`)
  return status === 'authorized' ? [HELD] : begun.slice(-1)
}

/** How many chargebacks each payment has. */
function chargebacksOf({ entries }: Kept): Map<string, number> {
  const groups = grouped(
    entries.filter(({ entry_type: type }) => type === 'chargeback'),
    ({ transaction_id: id }) => id ?? '',
  )
  return new Map([...groups].map(([id, { length }]) => [id, length]))
}

/** Each chargeback is told with the status it left, and once more when a rejected payment is processed again. */
function disputeProblems(
  { id, status }: TransactionRow,
  told: readonly string[],
  chargebacks: number,
): string[] {
  const rejects = told.filter((event) => event.startsWith('reject '))
  const strays = told.filter((event, n) =>
    event === AGAIN ? told[n - 1] !== 'reject rejected' : !rejects.includes(event),
  )
  const isRejected = told.at(-1) === 'reject rejected'
  return [
    ...(rejects.length === chargebacks
      ? []
      : [`${id} tells ${rejects.length} of ${chargebacks} chargebacks`]),
    ...(isRejected === (status === 'rejected') ? [] : [`${id} is ${status} and tells ${told.join(', ')}`]),
    ...strays.map((event) => `${id} tells ${event} for nothing`),
  ]
}

const AGAIN = 'processed processed'
