/** Disputes at a rail that reports them: types only. Amounts are in minor units. */

/** An inquiry has moved no money; every other stage but `won` may have. */
export type DisputeStage = 'inquiry' | 'needs_response' | 'under_review' | 'won' | 'lost'

/** Current state of a dispute, as far as the rail reports it. Money that moved is a notice of its own. */
export interface DisputeState {
  readonly kind: 'dispute'
  /** The gateway's id of the dispute. */
  readonly dispute: string
  /** The reference of the payment, or the gateway's id where it does not know ours. */
  readonly payment: string
  readonly stage: DisputeStage
  readonly amount: number
  /** The rail's word for the payer's reason, as `fraudulent`. */
  readonly reason: string | null
  /** The processor's fee; null where the rail does not report it. */
  readonly fee: number | null
  /** Datetime by which evidence has to be submitted; null where there is none. */
  readonly dueBy: string | null
  /** Whether evidence was submitted, here or at the processor. */
  readonly isAnswered: boolean
  /** Omitted where it is the merchant of the credentials. */
  readonly merchant?: string | undefined
}

/** A dispute at the gateway. */
export interface DisputeAt {
  readonly dispute: string
  /** The merchant's account at the gateway, where the credentials reach several. */
  readonly merchant?: string | undefined
}

/** A file that is submitted as evidence. */
export interface EvidenceFile {
  readonly name: string
  readonly mediaType: string
  readonly content: Uint8Array
  /** One of the rail's kinds of evidence; by default the first of them. */
  readonly as?: string | undefined
}

/** An answer to a dispute. It is final: evidence is submitted once, and an accepted dispute is lost. */
export interface DisputeAnswer extends DisputeAt {
  readonly answer: 'accept' | 'contest'
  /** Ours, and stable: an answer that is sent twice is given once. */
  readonly reference: string
  readonly text?: string | undefined
  readonly files: readonly EvidenceFile[]
}

/** The processor's word about an answer. */
export type DisputeAnswered =
  /** The gateway took the answer. `state` is the state after it, undefined if the rail does not report one. */
  | { readonly result: 'answered'; readonly state?: DisputeState }
  /** The answer was not taken, and had no effect. */
  | { readonly result: 'refused'; readonly problem: string }

/** Abilities of a rail whose disputes are answered here. */
export interface DisputeAbilities {
  /** Kinds of evidence, of each of which there is one file; empty where the rail distinguishes none. */
  readonly evidence: readonly string[]
  /** The most bytes of a file, and of all files together. */
  readonly bytesOfFile: number
  readonly bytes: number
}
