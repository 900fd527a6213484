import type { RESOLUTIONS } from '../../resources/exception.js'
import { formatMoney, type Minor } from '../../schema/money.js'
import type { Direction } from '../ledger/postings.js'

type Resolution = (typeof RESOLUTIONS)[number]

/** The part of an exception that its resolutions book. */
interface Stake {
  readonly amount: Minor | null
  readonly direction?: Direction | undefined
  /** Whether the exception is about a settlement line. */
  readonly isLine?: true | undefined
}

/** Sentences for the operator who decides: what each resolution books. See docs/gateways.md, "What does not fit". */
export function booksAfter(
  resolutions: readonly Resolution[],
  found: Stake,
): Readonly<Partial<Record<Resolution, string>>> {
  return Object.fromEntries(resolutions.map((resolution) => [resolution, wordsOf(resolution, found)]))
}

function wordsOf(resolution: Resolution, { amount, direction, isLine }: Stake): string {
  const money = formatMoney(amount ?? 0)
  const isPaid = direction === 'paid'
  switch (resolution) {
    case 'ignore':
      return isLine
        ? `${money} goes from suspense to outside: it is none of ours. A difference stays in processor_clearing.`
        : 'Nothing is booked, and no money moves.'
    case 'loss':
      return `${money} is booked from chargeback_loss to processor_clearing: it is our own loss, and no merchant pays it.`
    case 'refund':
      return `The gateway gives ${money} back to the payer, and pays that much less. Nothing is booked here.`
    case 'link':
      return 'It is booked on the transaction that you name, as if the gateway had named that one.'
    case 'cost':
      return isPaid
        ? `${money} is booked from processor_clearing to processor_cost: the processor has given a cost back.`
        : `${money} is booked from processor_cost to processor_clearing: the processor keeps it as its cost.`
    case 'reserve':
      return `${money} is booked from reserve to processor_clearing: the processor holds it back, and owes it.`
    case 'reserve_released':
      return `${money} is booked from processor_clearing to reserve: what the processor held back is paid out.`
    case 'transfer':
      return isPaid
        ? `${money} is booked from processor_clearing to outside: the owner of the account moved it in.`
        : `${money} is booked from outside to processor_clearing: the owner of the account moved it out.`
    case 'retry':
      return `A refund of ${money} is sent to the gateway again. It is booked once the gateway has approved it.`
    case 'failed':
      return `Nothing more is booked: the refund is declined, and ${money} can be refunded again.`
    case 'paid_otherwise':
      return `The payer has got ${money} in another way: a payment that stands has it as a refund, and the merchant keeps what the gateway has (processor_clearing to merchant_payable).`
    case 'partial':
      return `The payment is processed with the ${money} that were captured, with fees of their own. The rest is released.`
  }
}
