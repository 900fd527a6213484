/** Types for disputes that a rail reports. Amounts are in minor units (cents). */

/** Stage of a dispute. An inquiry has moved no money. In every other stage except `won`, money may have moved. */
export type DisputeStage = 'inquiry' | 'needs_response' | 'under_review' | 'won' | 'lost'

/** Current state of a dispute, as far as the rail reports it. Money that it moved is reported by a separate notice. */
export interface DisputeState {
  readonly kind: 'dispute'
  /** The gateway's id of the dispute. */
  readonly dispute: string
  /** Our reference of the payment, or the gateway's id if the gateway does not have our reference. */
  readonly payment: string
  readonly stage: DisputeStage
  readonly amount: number
  /** The payer's reason in the rail's words, such as `fraudulent`. */
  readonly reason: string | null
  /** The processor's fee; null if the rail does not report it. */
  readonly fee: number | null
  /** Datetime by which evidence must be submitted; null if there is no deadline. */
  readonly dueBy: string | null
  /** Whether evidence was submitted, through payctl or at the processor. */
  readonly isAnswered: boolean
  /** The merchant at the gateway; omitted if it is the merchant of the credentials. */
  readonly merchant?: string | undefined
}

/** Id of a dispute at the gateway, and its merchant there. */
export interface DisputeAt {
  readonly dispute: string
  /** The merchant's account at the gateway, if the credentials give access to several. */
  readonly merchant?: string | undefined
}

/** A file that is submitted as evidence. */
export interface EvidenceFile {
  readonly name: string
  readonly mediaType: string
  readonly content: Uint8Array
  /** One of the rail's kinds of evidence; by default the first kind. */
  readonly as?: string | undefined
}

/** An answer to a dispute. It is final: evidence can be submitted only once, and an accepted dispute is lost. */
export interface DisputeAnswer extends DisputeAt {
  readonly answer: 'accept' | 'contest'
  /** Our id of the answer. It never changes, so an answer that is sent twice takes effect once. */
  readonly reference: string
  readonly text?: string | undefined
  readonly files: readonly EvidenceFile[]
}

/** The gateway's response to an answer. */
export type DisputeAnswered =
  /** The gateway accepted the answer. `state` is the dispute's new state; undefined if the rail does not report it. */
  | { readonly result: 'answered'; readonly state?: DisputeState }
  /** The gateway refused the answer, which had no effect. */
  | { readonly result: 'refused'; readonly problem: string }

/** Limits on the evidence that a rail accepts. */
export interface DisputeAbilities {
  /** Kinds of evidence; at most one file of each. Empty if the rail does not distinguish kinds. */
  readonly evidence: readonly string[]
  /** Maximal bytes of one file; `bytes` is the maximum of all files together. */
  readonly bytesOfFile: number
  readonly bytes: number
}
