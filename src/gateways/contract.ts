/** One request to whoever really moves the money: a processor or a bank. Amounts in minor units. */
export interface GatewayOperation {
  readonly type: 'sale' | 'authorize' | 'capture' | 'void' | 'refund' | 'credit'
  /** Stable, so that an operation that is sent twice is done once: the transaction's id (and the operation). */
  readonly reference: string
  /** The gateway's parent operation: what is captured, voided or refunded. */
  readonly parent?: string
  /** What the payer is charged or given, convenience fee included. */
  readonly amount: number
  readonly currency: string
  readonly method?: GatewayMethod
}

export interface GatewayMethod {
  readonly type: 'card' | 'bank_account'
  readonly number: string
  readonly routing?: string
  /** `MM/YY` */
  readonly expiry?: string
  readonly cardCode?: string
  readonly postalCode?: string
  readonly street?: string
}

export type Avs = 'no_match' | 'street_and_zip' | 'street' | 'zip' | 'unknown'

export interface GatewayOutcome {
  readonly result: 'approved' | 'declined'
  /** `approved`, or why it was declined: `insufficient_bal`, `card_expired`, … */
  readonly statusCode: string
  readonly avs: Avs | null
}

/** Money that moved without our request: the payer's bank took a payment back, or returned it after all. */
export interface GatewayNotice {
  readonly kind: 'chargeback' | 'return' | 'dispute_won'
  /** Stable: a notice that arrives twice is recorded once. A dispute that is won has the reference of its chargeback. */
  readonly dispute: string
  /** The reference of the payment. */
  readonly payment: string
  readonly amount: number
  /** `chargeback`; of a bank return its code, `R01`. */
  readonly statusCode: string
}

/** Answers within the process, at once and always: intent, call and outcome may share one commit. */
export interface EmbeddedGateway {
  readonly kind: 'embedded'
  readonly name: string
  perform(operation: GatewayOperation): GatewayOutcome
}

/** Leaves the machine: it may be late, fail, or do the work and never say so. */
export interface RemoteGateway {
  readonly kind: 'remote'
  readonly name: string
  /** Rejects when the outcome is not known. */
  perform(operation: GatewayOperation): Promise<GatewayOutcome>
  /** The outcome of an operation sent earlier; `never_seen` when the gateway does not know the reference. */
  find(reference: string): Promise<GatewayOutcome | 'never_seen'>
  /** What was not acknowledged yet, oldest first. */
  notices(): Promise<readonly GatewayNotice[]>
  /** Confirms that the notice is recorded and need not be sent again. */
  acknowledge(notice: GatewayNotice): Promise<void>
}

export type Gateway = EmbeddedGateway | RemoteGateway
