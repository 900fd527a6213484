import type { RESOLUTIONS } from '../../../../resources/exception.js'

/** Kinds of exceptions in words. */
const KINDS: Readonly<Record<string, string>> = {
  unknown_payment: 'A gateway speaks of a payment that is not in the books',
  dispute_beyond_balance: 'A bank took back more than was left of a payment',
  dispute_unexpected: 'A dispute that does not fit its payment',
  late_approval: 'Approved after the books had given it up',
  partial_approval: 'Only a part was approved',
  amount_differs: 'A gateway moved another amount than the books say',
  settlement_differs: 'A settlement that does not fit the books',
  forgotten_operation: 'A gateway has an operation that the books have not',
}

/** The kind of an exception as a heading. */
export function exceptionHeading(kind: string | undefined): string {
  return KINDS[kind ?? ''] ?? 'Something that does not fit the books'
}

interface ResolutionWords {
  readonly label: string
  /** Consequences, in a sentence. */
  readonly does: string
}

type Resolution = (typeof RESOLUTIONS)[number]

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
}

/** A resolution in words; undefined for a word that is none. */
export function resolutionWords(resolution: string): ResolutionWords | undefined {
  return isResolution(resolution) ? WORDS[resolution] : undefined
}

function isResolution(text: string): text is Resolution {
  return Object.hasOwn(WORDS, text)
}
