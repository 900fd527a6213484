import type { RailClient } from '../platform/network/rail-client.js'

/**
 * What moves money, as the domain sees it: types only. A rail is written against `Rail`; the domain gets a
 * `RemoteGateway`, which is a rail with its credentials, or one that is embedded. Amounts are in minor units.
 */

/** One request to whoever really moves the money: a processor or a bank. */
export interface GatewayOperation {
  readonly type: 'sale' | 'authorize' | 'capture' | 'void' | 'refund' | 'credit'
  /** Ours, and stable: an operation that is sent twice is done once. The transaction's id, or one of its own. */
  readonly reference: string
  /** The merchant's account at the gateway, where the credentials reach several. */
  readonly merchant?: string | undefined
  /** What is captured, voided or refunded. */
  readonly parent?: ParentOperation
  /** What the payer is charged or given, convenience fee included. */
  readonly amount: number
  readonly currency: string
  /** Of everything that has no parent. */
  readonly method?: GatewayMethod | undefined
  /** Who asks for it: the payer now, the payer by a standing consent, or the merchant; the payer unless given. */
  readonly initiator?: 'payer' | 'consent' | 'merchant'
  /** What the payer's statement says, at most 22 characters. */
  readonly descriptor?: string | undefined
  /** The merchant's number of the order. */
  readonly orderNumber?: string | undefined
  readonly description?: string | undefined
  /** `ref_number` of the operation's own transaction, `K7QM-T4X9-PB2W-HRD5`; a capture and a void have their payment's. */
  readonly refNumber?: string | undefined
  /** Level 2 and 3 data, where the client gave any. */
  readonly order?: OrderDetails | undefined
}

/** An operation that the gateway was asked for before. */
export interface ParentOperation {
  readonly reference: string
  /** The gateway's id of it; nothing where its answer never came. */
  readonly gatewayId: string | null
  /** The last four digits of its method, which some rails ask for with a refund. */
  readonly lastDigits?: string | undefined
  /** Whether it was captured: a void is then one of a sale. */
  readonly isCaptured?: boolean
}

/** A card or a bank account: by its number, or by the token that this gateway has given for it. */
export interface GatewayMethod {
  readonly type: 'card' | 'bank_account'
  /** Empty where a token stands for it. */
  readonly number: string
  readonly token?: string | undefined
  /** False where it is used for this operation alone, so that no token is needed. */
  readonly isKept?: boolean | undefined
  /** By which the networks know the first payment of a standing consent. */
  readonly networkId?: string | undefined
  readonly routing?: string | undefined
  readonly accountType?: 'checking' | 'savings' | undefined
  readonly accountClass?: 'personal' | 'business' | undefined
  /** `MM/YY` */
  readonly expiry?: string | undefined
  readonly cardCode?: string | undefined
  readonly holder?: string | undefined
  readonly postalCode?: string | undefined
  readonly street?: string | undefined
  readonly city?: string | undefined
  readonly state?: string | undefined
  readonly country?: string | undefined
}

export interface OrderDetails {
  readonly tax?: number | undefined
  readonly shipping?: number | undefined
  readonly duty?: number | undefined
}

export type Avs = 'no_match' | 'street_and_zip' | 'street' | 'zip' | 'unknown'
export type CvvResult = 'match' | 'no_match' | 'not_checked' | 'unknown'

/**
 * What became of an operation, as far as the gateway says it. A call that ends in any other way rejects: its outcome is
 * not known, and `find` is asked later.
 */
export type GatewayOutcome =
  | ApprovedOutcome
  | DeclinedOutcome
  | PendingOutcome
  | ActionOutcome
  | NotSentOutcome
  | MisconfiguredOutcome

/** What a gateway tells of an operation besides its result. */
interface GatewayAnswer {
  /** The gateway's id of the operation, by which it is captured, voided and refunded. */
  readonly gatewayId?: string | null
  /** The gateway's own code, as it came. */
  readonly code?: string | null
  readonly avs?: Avs | null
  readonly cvv?: CvvResult | null
}

export interface ApprovedOutcome extends GatewayAnswer {
  readonly result: 'approved'
  /** What was really approved: rails never ask for a part, and some give one. */
  readonly amount: number
  readonly authCode?: string | null
  /** The networks' id of the transaction. */
  readonly networkId?: string | null
  /** Stands for the method from now on. */
  readonly token?: string | null
}

export interface DeclinedOutcome extends GatewayAnswer {
  readonly result: 'declined'
  /**
   * One of ours: `insufficient_bal`, `card_expired`, …; `declined` where the gateway's code is not known. Of a void
   * `already_settled`, of a refund `not_settled`, where the rail says so.
   */
  readonly statusCode: string
  /** Another attempt with the same method is of no use. */
  readonly isHard?: boolean
}

/** A notification or `find` decides. */
export interface PendingOutcome extends GatewayAnswer {
  readonly result: 'pending'
}

/** The payer must authenticate. */
export interface ActionOutcome extends GatewayAnswer {
  readonly result: 'action'
}

/** It certainly did not arrive: no address, a refused connection, an open circuit. */
export interface NotSentOutcome {
  readonly result: 'not_sent'
  /** For the operator's log. */
  readonly problem: string
}

/** The gateway refuses the credentials or does not know the merchant: nothing happened. */
export interface MisconfiguredOutcome {
  readonly result: 'misconfigured'
  /** For the operator's log. */
  readonly problem: string
}

/**
 * What a gateway says of an operation that it was asked for before. `never_seen`: it does not have it; `cannot_say`: it
 * cannot be reached, or does not list it for sure: ask again later.
 */
export type FoundOutcome =
  | ApprovedOutcome
  | DeclinedOutcome
  | PendingOutcome
  | ActionOutcome
  | 'never_seen'
  | 'cannot_say'

/** That something happened at the gateway, to be read again there: what it says itself is not believed. */
export interface GatewayNotification {
  /** The gateway's id of the event: it is handled once. */
  readonly id: string
  /** The gateway's word for it, for people. */
  readonly type: string
  /** What to read again. */
  readonly about: 'operation' | 'dispute' | 'settlement' | 'nothing'
  /** Ours, where it is told. */
  readonly reference?: string | undefined
  /** The gateway's id of the operation or dispute. */
  readonly gatewayId?: string | undefined
  /** As it came, without card data. */
  readonly raw: string
}

/** What is known of an operation that the gateway was asked for before. */
export interface SentAt {
  /** When it was first sent, in milliseconds since 1970. */
  readonly since: number
  /** The gateway's id of the operation itself, where it is known. */
  readonly gatewayId?: string | null
}

export interface SentOperation extends SentAt {
  readonly operation: GatewayOperation
}

/** Where a list has an operation: the gateway's id of it. */
export type Located = { readonly gatewayId: string } | 'never_seen' | 'cannot_say'

/** What the gateway says is so, when it is asked about a notification. */
export type GatewayNotice = MoneyTakenBack | FoundOperation

/** Whose account at the gateway a notice is about. */
interface OfMerchant {
  /** Nothing where it is that of the credentials. */
  readonly merchant?: string | undefined
}

/** Money that moved without our request: the payer's bank took a payment back, or returned it after all. */
export interface MoneyTakenBack extends OfMerchant {
  readonly kind: 'chargeback' | 'return' | 'dispute_won'
  /** Stable: a notice that arrives twice is recorded once. A dispute that is won has the reference of its chargeback. */
  readonly dispute: string
  /** The reference of the payment, or what the gateway calls it where it does not know ours. */
  readonly payment: string
  readonly amount: number
  /** `chargeback`; of a bank return its code, `R01`. */
  readonly statusCode: string
}

/** An operation as the gateway has it. */
export interface FoundOperation extends OfMerchant {
  readonly kind: 'operation'
  readonly reference: string | undefined
  readonly type: GatewayOperation['type']
  /** Of a payment that was captured what was captured. */
  readonly amount: number
  readonly outcome: FoundOutcome
  /** What a payment has become: a capture and a void are no operations of their own there. */
  readonly state?: 'authorized' | 'captured' | 'voided' | undefined
  /** The gateway's id of the payment that is refunded. */
  readonly parent?: string | undefined
}

/** What the gateway pays out at once, or takes. */
export interface GatewaySettlement {
  readonly id: string
  /** As a datetime; nothing while it is on its way. */
  readonly settledAt: string | null
  readonly currency: string
  /** Null where the rail does not tell them. */
  readonly gross: number | null
  readonly fees: number | null
  readonly net: number | null
  /** The merchant's account at the gateway, where there are several. */
  readonly merchant?: string | undefined
  readonly lines: readonly GatewaySettlementLine[]
}

export interface GatewaySettlementLine {
  readonly id: string
  readonly kind: 'payment' | 'refund' | 'chargeback' | 'chargeback_reversal' | 'return' | 'fee' | 'other'
  readonly reference?: string | undefined
  readonly gatewayId?: string | undefined
  /** What the gateway calls the payment that was refunded or disputed. */
  readonly parentId?: string | undefined
  /** Above zero where the merchant gets it. */
  readonly amount: number
  /** What the processor keeps of it; null where the rail does not tell it. */
  readonly fee: number | null
}

/** What a rail can do. */
export interface Capabilities {
  readonly methods: readonly GatewayMethod['type'][]
  readonly partialRefund: boolean
  /** What a void of a captured payment is there, while it is not settled. */
  readonly voidCaptured: 'void' | 'refund' | 'no'
  /** Whether it takes the refund of a payment that is not settled. */
  readonly refundBeforeSettlement: boolean
  /** Milliseconds after which an authorization ends; payctl ends it after 7 days at the latest. */
  readonly authorizationLifetime: number
  /** Whether its answers bring tokens. */
  readonly tokens: boolean
  readonly idempotency: 'embedded' | 'key' | 'search' | 'contents' | 'file'
  /** Milliseconds for which a request may still be on its way or not be listed: `never_seen` counts only then. */
  readonly horizon: number
  readonly reports: { readonly fees: boolean; readonly payouts: boolean; readonly disputes: boolean }
}

/** Where a rail's requests go, and as whom. */
export interface Credentials {
  readonly environment: 'test' | 'live'
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** By the names that the registry declares. */
  readonly secrets: { readonly [name: string]: string | undefined }
  /** The merchant's account at the gateway, where the secrets reach several. */
  readonly merchant?: string | undefined
}

/** Whether credentials work, and what they allow. */
export interface CredentialsCheck {
  readonly ok: boolean
  /** For people: whose account it is and what it may do, or what is wrong. */
  readonly found: string
}

/** Headers of an HTTP request, in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>

/** What a rail needs from outside. */
export interface RailEffects {
  readonly http: RailClient
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** A connection to a kind of processor. It knows neither transactions nor accounts nor SQL, and keeps no state. */
export interface Rail {
  readonly capabilities: Capabilities
  /** Rejects when the outcome is not known. */
  perform(operation: GatewayOperation, credentials: Credentials): Promise<GatewayOutcome>
  /** What became of this very operation. */
  find(operation: GatewayOperation, sent: SentAt, credentials: Credentials): Promise<FoundOutcome>
  /**
   * Where operations of one merchant are, by their references, at rails that look for one in a list of all: the list is read
   * once for many of them, and `find` asks by id then. What they look for in another way is left out.
   */
  locate?(sent: readonly SentOperation[], credentials: Credentials): Promise<ReadonlyMap<string, Located>>
  /** What a request to our address tells. Throws `BadSignature`. */
  receive?(headers: Headers, rawBody: Buffer, credentials: Credentials): readonly GatewayNotification[]
  /** What was told since the cursor, of rails that are polled; `null` begins. */
  notifications?(cursor: string | null, credentials: Credentials): Promise<Notifications>
  /** What a notification is about, read from the gateway. */
  read?(notification: GatewayNotification, credentials: Credentials): Promise<readonly GatewayNotice[]>
  /** What was paid out since the cursor; `null` begins. */
  settlements?(cursor: string | null, credentials: Credentials): Promise<Settlements>
  /**
   * What it was asked for since a moment, in milliseconds since 1970: each operation that it has, to the end, for a restored
   * database that has forgotten some. Rejects where that cannot be read.
   */
  operations?(since: number, credentials: Credentials): AsyncIterable<FoundOperation>
  /** Asks the gateway whether the credentials work. */
  check?(credentials: Credentials): Promise<CredentialsCheck>
}

export interface Notifications {
  readonly notifications: readonly GatewayNotification[]
  readonly cursor: string | null
}

export interface Settlements {
  readonly batches: readonly GatewaySettlement[]
  readonly cursor: string | null
}

/** Answers within the process, at once and always: intent, call and outcome may share one commit. */
export interface EmbeddedGateway {
  readonly kind: 'embedded'
  readonly name: string
  perform(operation: GatewayOperation): ApprovedOutcome | DeclinedOutcome
}

/** A rail with its credentials: it leaves the machine, may be late, fail, or do the work and never say so. */
export interface RemoteGateway {
  readonly kind: 'remote'
  readonly name: string
  readonly capabilities: Capabilities
  /** Rejects when the outcome is not known. */
  perform(operation: GatewayOperation): Promise<GatewayOutcome>
  find(operation: GatewayOperation, sent: SentAt): Promise<FoundOutcome>
  locate?(sent: readonly SentOperation[]): Promise<ReadonlyMap<string, Located>>
  receive?(headers: Headers, rawBody: Buffer): Promise<readonly GatewayNotification[]>
  notifications?(cursor: string | null): Promise<Notifications>
  read?(notification: GatewayNotification): Promise<readonly GatewayNotice[]>
  settlements?(cursor: string | null): Promise<Settlements>
  operations?(since: number): AsyncIterable<FoundOperation>
  check?(): Promise<CredentialsCheck>
  /** Whether operations are kept from it by this process; nothing where none are ever. */
  circuit?(): Circuit
}

/** Whether a gateway is left alone, as nothing of it worked. */
export interface Circuit {
  /** Why it is; nothing while operations are sent. */
  readonly problem: string | undefined
  /** When an operation worked last, in milliseconds since 1970. */
  readonly workedAt: number | undefined
}

export type Gateway = EmbeddedGateway | RemoteGateway
