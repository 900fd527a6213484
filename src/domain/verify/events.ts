import type { TransactionHistory } from './transaction-history.js'

/** Whatever happened to a transaction was told, once. Money: "Webhooks". */
export function eventProblems({ row, entries, events }: TransactionHistory): string[] {
  const announced = (trigger: string) => events.filter((event) => event.trigger === trigger).length
  const chargebacks = entries.filter(({ entry_type: type }) => type === 'chargeback').length
  return expectedTriggers(row, chargebacks).flatMap(([trigger, least, most = least]) => {
    const times = announced(trigger)
    return times >= least && times <= most ? [] : [`It told ${trigger} ${times} times, not ${least}`]
  })
}

type Expected = readonly [trigger: string, least: number, most?: number]

function expectedTriggers(
  { type, status, automatic }: TransactionHistory['row'],
  chargebacks: number,
): Expected[] {
  if (status === 'processing') return []
  if (status === 'declined') return [['decline', 1]]
  switch (type) {
    case 'payment':
      return [
        ['automatic_payment', automatic === 1 ? 1 : 0],
        ['payment', 1],
        ['authorized', 0, 1],
        // A dispute that is won tells it again.
        ['processed', status === 'processed' || status === 'rejected' ? 1 : 0, 1 + chargebacks],
        ['void', status === 'voided' ? 1 : 0],
        ['reject', chargebacks],
        ['decline', 0],
      ]
    case 'refund':
    case 'credit':
    case 'deposit':
    case 'reversal':
      return [[type, 1]]
    case 'chargeback':
    case 'chargeback_reversal':
    case null:
      return []
  }
}
