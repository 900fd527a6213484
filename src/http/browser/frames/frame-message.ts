/** State of a secure field: it contains no digits, and does not reveal single key strokes. */
export interface FieldState {
  readonly empty: boolean
  readonly complete: boolean
  readonly brand: string | null
}

/** An error in the shape of the API. */
export interface Refusal {
  readonly error_type: string
  readonly error_description: string
  readonly details?: Details | undefined
}

/** Values by name, which may contain more of them. */
export interface Details {
  readonly [name: string]: unknown
}

/** Resource that a form makes, as a path of the API. */
export type FormPath = 'transactions' | 'payment_methods'

/** The step by which a payer authenticates: id and signature of its page. */
export interface Action {
  readonly id: string
  readonly signature: string | null
}

/** Outcome of the step by which a payer authenticates: the event that its page has sent, with its data. */
export interface ActionOutcome {
  readonly event: string
  readonly transaction_id?: string
  readonly status_code?: string
  readonly message?: string
}

/** Answer of the controller to a submission. */
export interface Answer {
  readonly object?: Details | undefined
  readonly error?: Refusal | undefined
  /** Whether the attempt is over: the next one has another idempotency key. */
  readonly isRefused?: boolean
  /** Whether the same request had succeeded before. */
  readonly isRepeated?: boolean
}

/** Fields of a gateway that the shop's page mounts itself. */
export interface ShownRail {
  readonly script: string
  readonly settings: { readonly publishableKey: string; readonly stripeAccount?: string }
  readonly place: Details
}

/** Texts for methods that are not accepted. */
export interface ClosedMethods {
  readonly card?: string
  readonly bank_account?: string
}

/** Sent by the shop's page to a secure field. */
export type ToField =
  | {
      readonly type: 'start'
      readonly label: string | undefined
      readonly placeholder: string | undefined
      readonly disablePaste: boolean
      readonly style: Readonly<Record<string, string>>
    }
  | { readonly type: 'focus' }
  | { readonly type: 'clear' }

/** Sent by a secure field to the shop's page. */
export type FromField =
  | { readonly type: 'ready' | 'focus' | 'blur' | 'valid' | 'enter' }
  | { readonly type: 'height'; readonly pixels: number }
  | ({ readonly type: 'change' } & FieldState)
  | { readonly type: 'invalid'; readonly message: string }

/** Sent by the shop's page to the controller of a form. */
export type ToController =
  | ({ readonly type: 'submit' } & Submission)
  | { readonly type: 'kept' }
  | { readonly type: 'acted'; readonly outcome: ActionOutcome }

/** Input of a form, without that of its secure fields. */
export interface Submission {
  readonly id: string
  readonly path: FormPath
  /** Names of the secure fields in the form. */
  readonly names: readonly string[]
  readonly body: Details
  /** Idempotency key of an earlier attempt whose outcome is not known. */
  readonly attempt: string | undefined
  /** Token of the fields of a gateway. */
  readonly token: string | undefined
}

/** Sent by the controller of a form to the shop's page. */
export type FromController =
  | { readonly type: 'ready'; readonly rail: ShownRail | undefined; readonly closed: ClosedMethods }
  | { readonly type: 'sending'; readonly attempt: string }
  | { readonly type: 'action'; readonly action: Action }
  | ({ readonly type: 'answer'; readonly id: string } & Answer)

/** A message between the shop's page and the frames of a form. */
export type FrameMessage = ToField | FromField | ToController | FromController

/** A message as it is posted, with the random name of its form or component. */
export type Posted<Message> = Message & { readonly payctl: string | null | undefined }

/** Sent by a hosted page to the shop's page: an event, with its data. */
export interface HostedMessage extends Details {
  readonly event: string
}
