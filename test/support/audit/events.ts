import type { TransactionRow } from '../../../src/engine/store/database/tables.js'
import { grouped, type Kept } from './kept.js'

/** Checks that each transaction has fired its events once and in order. See docs/reference/triggers.md, "Triggers". */
export function eventProblems(kept: Kept): string[] {
  const { transactions, events } = kept
  const ids = new Set(transactions.map(({ id }) => id))
  const eventsOf = grouped(events, (event) => event.object_id)
  const disputes = chargebacksOf(kept)
  const stray = events.filter(({ object, object_id }) => object === 'transaction' && !ids.has(object_id))
  return [
    ...stray.map(({ id, object_id }) => `event ${id} is about ${object_id}, which does not exist`),
    ...transactions.flatMap((row) => {
      const own = (eventsOf.get(row.id) ?? []).map(({ trigger, value }) => `${trigger} ${value}`)
      const disputed = own.findIndex((event) => event.startsWith('reject '))
      const fired = own.slice(0, disputed < 0 ? undefined : disputed).join(', ')
      const histories = historiesOf(row)
      return histories.includes(fired)
        ? disputeProblems(
            row,
            own.slice(fired === '' ? 0 : fired.split(', ').length),
            disputes.get(row.id) ?? 0,
          )
        : [`${row.id} fired ${fired || 'nothing'}, not ${histories.join(' or ')}`]
    }),
  ]
}

const TAKEN = 'payment processed, processed processed'
const HELD = 'payment authorized, authorized authorized'

/** The events that a transaction may have fired, by its status. */
function historiesOf({ type, status, status_code: code, requested_status }: TransactionRow): string[] {
  // A declined transaction with a gateway problem has no events.
  if (status === 'declined' && /^gateway_/.test(code ?? '')) return ['']
  // A declined capture ends the authorization.
  if (status === 'declined')
    return ['decline declined', ...(type === 'payment' ? [`${HELD}, decline declined`] : [])]
  if (type === 'chargeback' || type === 'chargeback_reversal') return ['']
  if (type !== 'payment') return [`${type} ${status}`]
  const begun = requested_status === 'authorized' ? [HELD, `${HELD}, processed processed`] : [TAKEN]
  if (status === 'voided') return begun.map((events) => `${events}, void voided`)
  return status === 'authorized' ? [HELD] : begun.slice(-1)
}

/** Number of chargebacks by payment. */
function chargebacksOf({ entries }: Kept): Map<string, number> {
  const groups = grouped(
    entries.filter(({ entry_type: type }) => type === 'chargeback'),
    ({ transaction_id: id }) => id ?? '',
  )
  return new Map([...groups].map(([id, { length }]) => [id, length]))
}

/**
 * Checks that each chargeback fires an event with the status that it causes. A rejected payment that is
 * processed again fires `processed` again.
 */
function disputeProblems(
  { id, status }: TransactionRow,
  fired: readonly string[],
  chargebacks: number,
): string[] {
  const rejects = fired.filter((event) => event.startsWith('reject '))
  const strays = fired.filter((event, n) =>
    event === AGAIN ? fired[n - 1] !== 'reject rejected' : !rejects.includes(event),
  )
  const isRejected = fired.at(-1) === 'reject rejected'
  return [
    ...(rejects.length === chargebacks
      ? []
      : [`${id} fired ${rejects.length} events for ${chargebacks} chargebacks`]),
    ...(isRejected === (status === 'rejected') ? [] : [`${id} is ${status} and fired ${fired.join(', ')}`]),
    ...strays.map((event) => `${id} fired ${event} for nothing`),
  ]
}

const AGAIN = 'processed processed'
