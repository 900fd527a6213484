import type { RailClient } from '../platform/network/rail-client.js'
import type { ReadBudget } from '../platform/network/read-budget.js'
import type { DisputeAbilities, DisputeAnswer, DisputeAnswered, DisputeAt, DisputeState } from './dispute.js'
import type { CheckedGateway, GatewayCheck } from './gateway-check.js'
import type { GatewayMethod } from './gateway-method.js'
import type { PayerAction, StoreOperation } from './payer-action.js'
import type { FieldsMethod, GivenToken, MethodDescription, PayerFields } from './payer-fields.js'
import type { FailedPayout, OfMerchant, Settlements } from './payout.js'
import type { CreatedEndpoints, RailEndpoints } from './rail-endpoints.js'
import type { RailReports } from './rail-reports.js'
import type { RefusalScope } from './refusal-scope.js'

export type { DisputeAnswer, DisputeAt, DisputeStage, DisputeState, EvidenceFile } from './dispute.js'
export type { GatewayMethod } from './gateway-method.js'
export type { PayerAction, StoreOperation } from './payer-action.js'
export type {
  FieldsMethod,
  FieldsOrigins,
  GivenToken,
  MethodDescription,
  PayerFields,
} from './payer-fields.js'
export type { FailedPayout, GatewaySettlement, GatewaySettlementLine, Settlements } from './payout.js'
export { NO_REPORTS } from './rail-reports.js'
export type { CheckedGateway, CreatedEndpoints, GatewayCheck, RefusalScope }

/**
 * Types by which the domain uses gateways. Each rail implements `Rail`. The domain calls a `RemoteGateway`, which is a
 * rail with its credentials, or an `EmbeddedGateway`. Amounts are in minor units (cents).
 */

/** One request to the party that moves the money: a processor or a bank. */
export interface GatewayOperation {
  readonly type: 'sale' | 'authorize' | 'capture' | 'void' | 'refund' | 'credit'
  /**
   * Our id of the operation: the transaction's id, or an id of its own. It never changes, so an operation that is sent
   * twice is executed once.
   */
  readonly reference: string
  /** The merchant's account at the gateway, if the credentials give access to several. */
  readonly merchant?: string | undefined
  /** The operation that is captured, voided or refunded. */
  readonly parent?: ParentOperation
  /** Amount that the payer is charged or paid, convenience fee included. */
  readonly amount: number
  readonly currency: string
  /** Whether a capture takes less than the authorized amount. The gateway releases the rest. */
  readonly isPart?: boolean
  /** Method of an operation without a parent. */
  readonly method?: GatewayMethod | undefined
  /**
   * Initiator of the operation: the payer now, the payer by a standing consent, or the merchant; by default the
   * payer.
   */
  readonly initiator?: 'payer' | 'consent' | 'merchant'
  /** Device of a payer who is online. A bank account's mandate needs it. */
  readonly device?: PayerDevice | undefined
  /** Address to which the payer's browser comes back after authentication at another site. */
  readonly returnUrl?: string | undefined
  /** Text on the payer's statement, at most 22 characters. */
  readonly descriptor?: string | undefined
  /** The merchant's number of the order. */
  readonly orderNumber?: string | undefined
  readonly description?: string | undefined
  /**
   * `ref_number` of the operation's own transaction, such as `K7QM-T4X9-PB2W-HRD5`. A capture or a void has
   * the number of its payment.
   */
  readonly refNumber?: string | undefined
  /** Level 2 and 3 data (tax, shipping, duty), if the client sent any. */
  readonly order?: OrderDetails | undefined
}

/** Device on which a payer gives consent. */
export interface PayerDevice {
  /** IP address. */
  readonly address: string
  /** The browser's `User-Agent`. */
  readonly browser: string
}

/** An earlier operation at the gateway. */
export interface ParentOperation {
  readonly reference: string
  /** The gateway's id of the operation; null if its answer never came. */
  readonly gatewayId: string | null
  /** The last four digits of the card or account. Some rails need them for a refund. */
  readonly lastDigits?: string | undefined
  /** Whether the payment was captured. A void of it then cancels a captured payment, not an authorization. */
  readonly isCaptured?: boolean
}

export interface OrderDetails {
  readonly tax?: number | undefined
  readonly shipping?: number | undefined
  readonly duty?: number | undefined
}

export type Avs = 'no_match' | 'street_and_zip' | 'street' | 'zip' | 'unknown'
export type CvvResult = 'match' | 'no_match' | 'not_checked' | 'unknown'

/**
 * Outcome of an operation, as the gateway reports it. If the outcome is unknown, the call rejects, and `find` is called
 * later.
 */
export type GatewayOutcome =
  | ApprovedOutcome
  | DeclinedOutcome
  | PendingOutcome
  | ActionOutcome
  | NotSentOutcome
  | MisconfiguredOutcome

/** Facts that the gateway reports about an operation besides its result. */
interface GatewayAnswer {
  /** The gateway's id of the operation, by which it is captured, voided and refunded. */
  readonly gatewayId?: string | null
  /** The gateway's own code, unchanged. */
  readonly code?: string | null
  readonly avs?: Avs | null
  readonly cvv?: CvvResult | null
}

export interface ApprovedOutcome extends GatewayAnswer {
  readonly result: 'approved'
  /** Approved amount. It may be less than requested, because some gateways approve a part. */
  readonly amount: number
  readonly authCode?: string | null
  /** The card network's id of the transaction. */
  readonly networkId?: string | null
  /** Token that replaces the card or account number in later operations. */
  readonly token?: string | null
  /** Datetime at which an authorization ends, if the rail reports it. */
  readonly captureBefore?: string | null
  /** Description of the method, if the gateway's answer contains one. */
  readonly method?: MethodDescription
}

export interface DeclinedOutcome extends GatewayAnswer {
  readonly result: 'declined'
  /**
   * One of our codes: `insufficient_bal`, `card_expired`, …; `declined` if the gateway's code is unknown.
   * Some rails also distinguish `already_settled` for a void, and `not_settled` for a refund.
   */
  readonly statusCode: string
  /** Minor units captured, for a void that is `already_settled`. Omitted: all of the payment. */
  readonly captured?: number
  /**
   * Whether another attempt with the same method is useless. Automatic payments do not charge the method again until it
   * is changed.
   */
  readonly isHard?: boolean
}

/** The gateway has not decided yet. A notification or `find` brings the outcome later. */
export interface PendingOutcome extends GatewayAnswer {
  readonly result: 'pending'
}

/** The payer must authenticate first. Afterwards `find` answers the outcome. */
export interface ActionOutcome extends GatewayAnswer, PayerAction {
  readonly result: 'action'
}

/** The request certainly did not arrive: no address, a refused connection, an open circuit. */
export interface NotSentOutcome {
  readonly result: 'not_sent'
  /** Problem for the operator's log. */
  readonly problem: string
  /** The gateway was reached. Only operations of this merchant cannot be sent. */
  readonly isReached?: true
  /** Seconds for which the merchant's further operations are held back, because the gateway received too many. */
  readonly retryAfter?: number
}

/** The gateway refuses the credentials, the merchant, or a kind of method: the request had no effect. */
export interface MisconfiguredOutcome {
  readonly result: 'misconfigured'
  readonly scope: RefusalScope
  /** Problem for the operator's log. */
  readonly problem: string
  /** The refused merchant at the gateway; empty for the credentials' own merchant. The circuit breaker adds it. */
  readonly merchant?: string
  /** Set if this operation was not sent, because the gateway refused an earlier operation. */
  readonly isRepeated?: true
}

/**
 * A gateway's answer about an earlier operation. `never_seen`: the gateway does not have the operation. `cannot_say`:
 * the gateway cannot be reached, or its list may be incomplete; `find` is called again later.
 */
export type FoundOutcome =
  | ApprovedOutcome
  | DeclinedOutcome
  | PendingOutcome
  | ActionOutcome
  | 'never_seen'
  | 'cannot_say'

/**
 * A notification of an event at the gateway. Its contents are not trusted: the object that it names is read from the
 * gateway.
 */
export interface GatewayNotification {
  /** The gateway's id of the event. Each event is handled once. */
  readonly id: string
  /** The gateway's name for the kind of event, shown to people. */
  readonly type: string
  /** Kind of the object to read again. */
  readonly about: 'operation' | 'dispute' | 'settlement' | 'nothing'
  /** Our reference, if the gateway reports it. */
  readonly reference?: string | undefined
  /** The gateway's id of the operation or dispute. */
  readonly gatewayId?: string | undefined
  /** The notification as received, without card data. */
  readonly raw: string
}

/** When an operation was sent, and the gateway's id of it. */
export interface SentAt {
  /** Time of the first request, in milliseconds since 1970. */
  readonly since: number
  /** The gateway's id of the operation itself, if known. */
  readonly gatewayId?: string | null
}

export interface SentOperation extends SentAt {
  readonly operation: GatewayOperation
}

/** Result of a search in the gateway's list: the gateway's id of the operation, or the reason why there is none. */
export type Located = { readonly gatewayId: string } | 'never_seen' | 'cannot_say'

/** State of the object that a notification names, as read from the gateway. */
export type GatewayNotice = MoneyTakenBack | FoundOperation | DisputeState | FailedPayout

/**
 * Money that moved without our request: the payer's bank took back a payment, or returned the money after a dispute was
 * won.
 */
export interface MoneyTakenBack extends OfMerchant {
  readonly kind: 'chargeback' | 'return' | 'dispute_won'
  /**
   * The dispute's id, by which a notice that arrives twice is recorded once. A won dispute has the same id as its
   * chargeback.
   */
  readonly dispute: string
  /** Our reference of the payment, or the gateway's id if the gateway does not have our reference. */
  readonly payment: string
  /**
   * False if the payment at the gateway has no reference of ours. If its id is unknown too, someone else made the
   * payment.
   */
  readonly hasReference?: boolean
  readonly amount: number
  /** `chargeback`, or the code of a bank return, such as `R01`. */
  readonly statusCode: string
  /** The gateway's id of the inquiry that came before the dispute, if it differs from the dispute's id. */
  readonly inquiry?: string
}

/** Current state of an operation at the gateway. */
export interface FoundOperation extends OfMerchant {
  readonly kind: 'operation'
  readonly reference: string | undefined
  readonly type: GatewayOperation['type']
  /** Amount of the operation; for a captured payment the captured amount. */
  readonly amount: number
  readonly outcome: FoundOutcome
  /** State of a payment. A capture or a void changes this state and is not a separate operation at the gateway. */
  readonly state?: 'authorized' | 'captured' | 'voided' | undefined
  /** The gateway's id of the payment that is refunded. */
  readonly parent?: string | undefined
}

/** Abilities of a rail. */
export interface Capabilities {
  readonly methods: readonly GatewayMethod['type'][]
  /** Whether the rail charges a bank account by its number alone, without verifying the account. */
  readonly bankNumbers: boolean
  readonly partialRefund: boolean
  /** Whether less than the authorized amount can be captured, once; the rest is released. */
  readonly partialCapture: boolean
  /** Operation by which the rail voids a captured payment that is not settled: a void, a refund, or none (`no`). */
  readonly voidCaptured: 'void' | 'refund' | 'no'
  /** Whether the rail accepts the refund of a payment that is not settled. */
  readonly refundBeforeSettlement: boolean
  /** Whether the rail's settlements list a payment that was refunded in full before it was settled. */
  readonly settlesRefunded: boolean
  /** Milliseconds after which an authorization ends; payctl ends it after 7 days at the latest. */
  readonly authorizationLifetime: number
  /** Whether the rail's answers contain tokens. */
  readonly tokens: boolean
  /** Whether payers may have to authenticate. Such a rail answers `action` and has `cancel`. */
  readonly authentication: boolean
  /** Whether the rail can store a method without a payment. */
  readonly store: boolean
  readonly idempotency: 'embedded' | 'key' | 'search' | 'contents' | 'file'
  /**
   * Milliseconds for which a request may still be under way or not yet listed. `never_seen` is final only after this
   * time.
   */
  readonly horizon: number
  readonly reports: RailReports
}

/** Address, secrets and merchant for a rail's requests. */
export interface Credentials {
  readonly environment: 'test' | 'live'
  /** Base address, without a slash at its end. */
  readonly baseUrl: string
  /** Secrets by the names that the registry declares. */
  readonly secrets: { readonly [name: string]: string | undefined }
  /** The merchant's account at the gateway, if the secrets give access to several. */
  readonly merchant?: string | undefined
  /** Further merchants' accounts that routes (`gateways route`) name. */
  readonly merchants?: readonly string[]
}

/** Headers of an HTTP request, in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>

/** Network and clock, which a rail uses. */
export interface RailEffects {
  readonly http: RailClient
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Code for one kind of processor. A rail knows neither transactions nor accounts nor SQL, and keeps no state. */
export interface Rail {
  readonly capabilities: Capabilities
  /** Rejects when the outcome is not known. */
  perform(operation: GatewayOperation, credentials: Credentials): Promise<GatewayOutcome>
  /** Finds the outcome of an operation that was sent before. */
  find(operation: GatewayOperation, sent: SentAt, credentials: Credentials): Promise<FoundOutcome>
  /**
   * Cancels a payment that waits for its payer, and answers its outcome: declined if cancelled, approved if the payment
   * had succeeded before. May be called again.
   */
  cancel?(operation: GatewayOperation, sent: SentAt, credentials: Credentials): Promise<FoundOutcome>
  /**
   * Stores a method without a payment. The outcome is approved, with a token and amount 0. Rejects when the outcome is
   * not known.
   */
  store?(operation: StoreOperation, credentials: Credentials): Promise<GatewayOutcome>
  /** Finds the outcome of a `store` that was sent before. */
  findStored?(operation: StoreOperation, sent: SentAt, credentials: Credentials): Promise<FoundOutcome>
  /**
   * Finds the gateway's ids of operations of one merchant, by their references. The gateway's list is read once for
   * many operations. Then `find` queries each operation by its id. Operations that the rail does not find in a list are
   * omitted.
   */
  locate?(sent: readonly SentOperation[], credentials: Credentials): Promise<ReadonlyMap<string, Located>>
  /** Notifications in a request to our address. Throws `BadSignature`. */
  receive?(headers: Headers, rawBody: Buffer, credentials: Credentials): readonly GatewayNotification[]
  /** Polls the gateway for notifications after the cursor; `null` for the first poll. */
  notifications?(cursor: string | null, credentials: Credentials): Promise<Notifications>
  /** Reads the object of a notification from the gateway. */
  read?(notification: GatewayNotification, credentials: Credentials): Promise<readonly GatewayNotice[]>
  /** Payouts after the cursor. With a cursor of `null`, payouts from `since` on, in milliseconds since 1970. */
  settlements?(cursor: string | null, credentials: Credentials, since?: number): Promise<Settlements>
  /**
   * Every operation at the gateway since a time (milliseconds since 1970). A restored database may lack some
   * of these operations. Rejects if they cannot all be read.
   */
  operations?(since: number, credentials: Credentials): AsyncIterable<FoundOperation>
  /** Reads and answers disputes; omitted if the rail does not support disputes. */
  readonly disputes?: RailDisputes
  /** Checks whether the gateway is ready for live payments. The first check is of the credentials. */
  check?(gateway: CheckedGateway, credentials: Credentials): Promise<readonly GatewayCheck[]>
  readonly endpoints?: RailEndpoints<[Credentials]>
  /**
   * Kinds of method that the processor's own fields accept in pages. Empty if the credentials lack the secret that the
   * fields need.
   */
  fieldMethods?(credentials: Credentials): readonly FieldsMethod[]
  /** The processor's fields for one page. Rejects if they are not available. */
  fields?(merchant: string | undefined, credentials: Credentials): Promise<PayerFields>
  /**
   * Describes the method of a token before it is charged. Facts that the rail does not report are omitted. Undefined
   * for a token that the rail does not know, or that the sender may not use. Rejects if the token cannot be read.
   */
  describe?(given: GivenToken, credentials: Credentials): Promise<MethodDescription | undefined>
}

/**
 * Outcome of an answer to a dispute. If the call rejects, its outcome is unknown, and the dispute is read again later.
 */
export type DisputeOutcome = DisputeAnswered | NotSentOutcome | MisconfiguredOutcome

export interface RailDisputes extends DisputeAbilities {
  /** Current state of a dispute, and a notice for the money that it has moved. */
  read(at: DisputeAt, credentials: Credentials): Promise<readonly GatewayNotice[]>
  /** Rejects when the outcome is not known. */
  answer(answer: DisputeAnswer, credentials: Credentials): Promise<DisputeOutcome>
}

export interface Notifications {
  readonly notifications: readonly GatewayNotification[]
  readonly cursor: string | null
}

/**
 * A gateway inside this process. It always answers at once, so the transaction and its outcome can share one commit.
 */
export interface EmbeddedGateway {
  readonly kind: 'embedded'
  readonly name: string
  perform(operation: GatewayOperation): ApprovedOutcome | DeclinedOutcome
}

/**
 * A rail with its credentials. Its calls go over the network: an answer may be late, fail, or be lost after the work
 * was done.
 */
export interface RemoteGateway {
  readonly kind: 'remote'
  readonly name: string
  readonly capabilities: Capabilities
  /** Rejects when the outcome is not known. */
  perform(operation: GatewayOperation): Promise<GatewayOutcome>
  find(operation: GatewayOperation, sent: SentAt): Promise<FoundOutcome>
  cancel?(operation: GatewayOperation, sent: SentAt): Promise<FoundOutcome>
  store?(operation: StoreOperation): Promise<GatewayOutcome>
  findStored?(operation: StoreOperation, sent: SentAt): Promise<FoundOutcome>
  locate?(sent: readonly SentOperation[]): Promise<ReadonlyMap<string, Located>>
  receive?(headers: Headers, rawBody: Buffer): Promise<readonly GatewayNotification[]>
  notifications?(cursor: string | null): Promise<Notifications>
  read?(notification: GatewayNotification): Promise<readonly GatewayNotice[]>
  settlements?(cursor: string | null, since?: number): Promise<Settlements>
  operations?(since: number): AsyncIterable<FoundOperation>
  readonly disputes?: GatewayDisputes
  check?(gateway: CheckedGateway): Promise<readonly GatewayCheck[]>
  readonly endpoints?: RailEndpoints<[]>
  fieldMethods?(): readonly FieldsMethod[]
  fields?(merchant: string | undefined): Promise<PayerFields>
  describe?(given: GivenToken): Promise<MethodDescription | undefined>
  /** Circuits of this process for this gateway; omitted if it has none. */
  readonly circuits?: Circuits
  /** This gateway, but its reads are aborted when the time of `budget` is used up. Operations are not aborted. */
  limitedTo?(budget: ReadBudget): RemoteGateway
}

export interface GatewayDisputes extends DisputeAbilities {
  read(at: DisputeAt): Promise<readonly GatewayNotice[]>
  answer(answer: DisputeAnswer): Promise<DisputeOutcome>
}

/**
 * Operations that an open circuit holds back. A refusal has its own scope. `unreachable`: all operations. `failing`:
 * those of one merchant, whose answers cannot be understood. `reading`: a query was refused; no operation is held back.
 */
export type CircuitScope = RefusalScope | 'unreachable' | 'failing' | 'reading'

/** Reason why operations are not sent to a gateway for a while. */
export interface CircuitCause {
  readonly scope: CircuitScope
  /**
   * The merchant; empty for the credentials' own. For `reading`: the name of the call, and the merchant if there is
   * one.
   */
  readonly subject: string
  readonly problem: string
  /** Time of the last failure, in milliseconds since 1970. */
  readonly noticedAt: number
}

/** A cause that no longer applies. */
export interface OverCause extends Pick<CircuitCause, 'scope' | 'subject'> {
  /** Time of the operation that succeeded, in milliseconds since 1970. */
  readonly workedAt: number
}

/** Causes that this process has found, and causes that other processes have stored in the database. */
export interface Circuits {
  /** Causes that are not in the database yet. */
  unstored(): readonly CircuitCause[]
  /** Stored causes that no longer apply, because an operation in their scope has succeeded since. */
  over(): readonly OverCause[]
  /** Takes over the causes that are stored in the database, from all processes. */
  follow(stored: readonly CircuitCause[]): void
}

export type Gateway = EmbeddedGateway | RemoteGateway
