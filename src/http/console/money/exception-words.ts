import type { ExceptionKind, Resolution } from '../../../domain/exceptions/raise-exception.js'
import { answeredText, objectIn } from '../../../schema/answer-values.js'
import type { JsonObject } from '../../../schema/json.js'

/** Kinds of exceptions in words. */
const KINDS: Readonly<Record<ExceptionKind, string>> = {
  unknown_payment: 'A gateway speaks of a payment that is not in the books',
  dispute_beyond_balance: 'A bank took back more than was left of a payment',
  dispute_unexpected: 'A dispute that does not fit its payment',
  late_approval: 'Approved after the books had given it up',
  partial_approval: 'Only a part was approved',
  amount_differs: 'A gateway moved another amount than the books say',
  settlement_differs: 'A settlement that does not fit the books',
  forgotten_operation: 'A gateway has an operation that the books have not',
  refund_failed: 'A refund failed after the gateway had approved it',
  payout_failed: 'A payout did not arrive at the bank',
}

/** The kind of an exception as a heading. */
export function exceptionHeading(kind: string | undefined): string {
  const known: Readonly<Record<string, string>> = KINDS
  return known[kind ?? ''] ?? 'Something that does not fit the books'
}

interface ResolutionWords {
  readonly label: string
  /** Consequences, in a sentence. */
  readonly does: string
}

const WORDS: Readonly<Record<Resolution, ResolutionWords>> = {
  ignore: {
    label: 'Close it',
    does: 'Nothing is booked and no money moves. It is closed with your reason.',
  },
  loss: {
    label: 'Book a loss',
    does: 'The amount is booked as your own loss; no merchant pays it. It is closed.',
  },
  refund: {
    label: 'Give it back',
    does: 'The gateway gives the money back to the payer. It is closed when the gateway has confirmed that.',
  },
  link: {
    label: 'Book it on a payment',
    does: 'What the bank or the gateway did is booked on the payment that you name, as if it had named it. It is closed.',
  },
  cost: {
    label: 'Book a cost',
    does: 'The amount is booked as a cost of the processor. It is closed.',
  },
  reserve: {
    label: 'Held in reserve',
    does: 'The processor holds the amount back, and owes it. It is closed.',
  },
  reserve_released: {
    label: 'Released from reserve',
    does: 'What the processor held back is paid out. It is closed.',
  },
  transfer: {
    label: 'A transfer of our own',
    does: 'The owner of the account at the gateway moved the amount. It is closed.',
  },
  retry: {
    label: 'Send the refund again',
    does: 'The gateway is asked for the refund again. It is closed when the gateway has approved that.',
  },
  failed: {
    label: 'Leave it declined',
    does: 'The refund stays declined, and its amount can be refunded again. It is closed.',
  },
  paid_otherwise: {
    label: 'Paid in another way',
    does: 'The payer has got the money otherwise; the merchant keeps what the gateway has. It is closed.',
  },
  partial: {
    label: 'Book the captured part',
    does: 'The payment is processed with what was captured at the gateway; the rest is released. It is closed.',
  },
}

/** A resolution in words; undefined for an unknown one. */
export function resolutionWords(resolution: string): ResolutionWords | undefined {
  const known: Readonly<Record<string, ResolutionWords>> = WORDS
  return Object.hasOwn(known, resolution) ? known[resolution] : undefined
}

/** Text from an exception about the books after a resolution; undefined if the exception has none. */
export function booksText(exception: JsonObject, resolution: string): string | undefined {
  return answeredText(objectIn(exception, 'books'), resolution)
}

/** Whether a gateway pays money to a payer for a resolution. */
export function givesBack(resolution: string | undefined): boolean {
  return resolution === 'refund' || resolution === 'retry'
}
