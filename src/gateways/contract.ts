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
export type { CheckedGateway, CreatedEndpoints, GatewayCheck, RefusalScope }

/**
 * Gateways as the domain sees them: types only. A rail is written against `Rail`. The domain gets a `RemoteGateway`,
 * which is a rail with its credentials, or one that is embedded. Amounts are in minor units.
 */

/** One request to the party that moves the money: a processor or a bank. */
export interface GatewayOperation {
  readonly type: 'sale' | 'authorize' | 'capture' | 'void' | 'refund' | 'credit'
  /** Ours, and stable: an operation that is sent twice is done once. The transaction's id, or one of its own. */
  readonly reference: string
  /** The merchant's account at the gateway, where the credentials reach several. */
  readonly merchant?: string | undefined
  /** The operation that is captured, voided or refunded. */
  readonly parent?: ParentOperation
  /** Amount that the payer is charged or paid, convenience fee included. */
  readonly amount: number
  readonly currency: string
  /** A capture of less than was authorized; the rest is released. */
  readonly isPart?: boolean
  /** Method of an operation without a parent. */
  readonly method?: GatewayMethod | undefined
  /**
   * Initiator of the operation: the payer now, the payer by a standing consent, or the merchant; by default the
   * payer.
   */
  readonly initiator?: 'payer' | 'consent' | 'merchant'
  /** Device of a payer who is online, for a mandate. */
  readonly device?: PayerDevice | undefined
  /** Address to which the payer's browser comes back after it has authenticated elsewhere. */
  readonly returnUrl?: string | undefined
  /** Text on the payer's statement, at most 22 characters. */
  readonly descriptor?: string | undefined
  /** The merchant's number of the order. */
  readonly orderNumber?: string | undefined
  readonly description?: string | undefined
  /** `ref_number` of the operation's own transaction, `K7QM-T4X9-PB2W-HRD5`; a capture and a void have their payment's. */
  readonly refNumber?: string | undefined
  /** Level 2 and 3 data, where the client gave any. */
  readonly order?: OrderDetails | undefined
}

/** Device with which a payer consents. */
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
  /** The last four digits of its method, which some rails need for a refund. */
  readonly lastDigits?: string | undefined
  /** Whether it was captured: a void is then one of a sale. */
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
 * Outcome of an operation, as the gateway reports it. A call that ends in any other way rejects: its outcome is
 * unknown, and `find` is called later.
 */
export type GatewayOutcome =
  | ApprovedOutcome
  | DeclinedOutcome
  | PendingOutcome
  | ActionOutcome
  | NotSentOutcome
  | MisconfiguredOutcome

/** Facts about an operation besides its result. */
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
  /** Approved amount: rails always request the whole amount, and some approve a part. */
  readonly amount: number
  readonly authCode?: string | null
  /** The networks' id of the transaction. */
  readonly networkId?: string | null
  /** Token that replaces the method's number from now on. */
  readonly token?: string | null
  /** Datetime at which an authorization ends, if the rail reports it. */
  readonly captureBefore?: string | null
  /** Description of the method, where the answer has one. */
  readonly method?: MethodDescription
}

export interface DeclinedOutcome extends GatewayAnswer {
  readonly result: 'declined'
  /**
   * One of our codes: `insufficient_bal`, `card_expired`, …; `declined` where the gateway's code is unknown. A void
   * may be `already_settled`, a refund `not_settled`, if the rail distinguishes that.
   */
  readonly statusCode: string
  /** Minor units that were captured, of a void that is `already_settled`; omitted: all of the payment. */
  readonly captured?: number
  /** Another attempt with the same method is useless: automatic payments charge it no more until it changes. */
  readonly isHard?: boolean
}

/** A notification or `find` decides. */
export interface PendingOutcome extends GatewayAnswer {
  readonly result: 'pending'
}

/** The payer must authenticate; `find` answers the outcome afterwards. */
export interface ActionOutcome extends GatewayAnswer, PayerAction {
  readonly result: 'action'
}

/** The request certainly did not arrive: no address, a refused connection, an open circuit. */
export interface NotSentOutcome {
  readonly result: 'not_sent'
  /** Problem for the operator's log. */
  readonly problem: string
  /** The gateway was reached: only an operation of this merchant cannot be sent. */
  readonly isReached?: true
  /** Seconds for which the merchant's requests are held back, as there were too many. */
  readonly retryAfter?: number
}

/** The gateway refuses the credentials, the merchant, or a kind of method: the request had no effect. */
export interface MisconfiguredOutcome {
  readonly result: 'misconfigured'
  readonly scope: RefusalScope
  /** Problem for the operator's log. */
  readonly problem: string
  /** The refused merchant at the gateway, added by the connection; empty for the credentials' own. */
  readonly merchant?: string
  /** The gateway refused an earlier operation, and this one was not sent. */
  readonly isRepeated?: true
}

/**
 * A gateway's answer about an earlier operation. `never_seen`: it does not have the operation. `cannot_say`: it
 * cannot be reached, or its list is not certain; query it again later.
 */
export type FoundOutcome =
  | ApprovedOutcome
  | DeclinedOutcome
  | PendingOutcome
  | ActionOutcome
  | 'never_seen'
  | 'cannot_say'

/**
 * A notification of an event at the gateway. Its contents are not trusted; the object is read again from the gateway.
 */
export interface GatewayNotification {
  /** The gateway's id of the event: it is handled once. */
  readonly id: string
  /** The gateway's word for it, for people. */
  readonly type: string
  /** Kind of the object to read again. */
  readonly about: 'operation' | 'dispute' | 'settlement' | 'nothing'
  /** Our reference, if it is reported. */
  readonly reference?: string | undefined
  /** The gateway's id of the operation or dispute. */
  readonly gatewayId?: string | undefined
  /** The notification as received, without card data. */
  readonly raw: string
}

/** Known facts about an earlier operation at the gateway. */
export interface SentAt {
  /** Time of the first request, in milliseconds since 1970. */
  readonly since: number
  /** The gateway's id of the operation itself, if known. */
  readonly gatewayId?: string | null
}

export interface SentOperation extends SentAt {
  readonly operation: GatewayOperation
}

/** Result of a search in a list: the gateway's id of the operation. */
export type Located = { readonly gatewayId: string } | 'never_seen' | 'cannot_say'

/** The gateway's answer when it is queried about a notification. */
export type GatewayNotice = MoneyTakenBack | FoundOperation | DisputeState | FailedPayout

/** Money that moved without our request: the payer's bank took a payment back, or returned it after all. */
export interface MoneyTakenBack extends OfMerchant {
  readonly kind: 'chargeback' | 'return' | 'dispute_won'
  /** Stable: a notice that arrives twice is recorded once. A dispute that is won has the reference of its chargeback. */
  readonly dispute: string
  /** The reference of the payment, or the gateway's id where it does not know ours. */
  readonly payment: string
  /** False where the payment carries no reference, so that a payment with an unknown id is a stranger's. */
  readonly hasReference?: boolean
  readonly amount: number
  /** `chargeback`; of a bank return its code, `R01`. */
  readonly statusCode: string
  /** The gateway's id of the dispute while it was an inquiry, where that was another one. */
  readonly inquiry?: string
}

/** An operation in the gateway's own state. */
export interface FoundOperation extends OfMerchant {
  readonly kind: 'operation'
  readonly reference: string | undefined
  readonly type: GatewayOperation['type']
  /** Amount of the operation; for a captured payment the captured amount. */
  readonly amount: number
  readonly outcome: FoundOutcome
  /** State of a payment: at the gateway a capture and a void are no operations of their own. */
  readonly state?: 'authorized' | 'captured' | 'voided' | undefined
  /** The gateway's id of the payment that is refunded. */
  readonly parent?: string | undefined
}

/** Abilities of a rail. */
export interface Capabilities {
  readonly methods: readonly GatewayMethod['type'][]
  /** Whether a bank account is charged by its number as a payer types it, without a verification of the account. */
  readonly bankNumbers: boolean
  readonly partialRefund: boolean
  /** Whether less than the authorized amount can be captured, once; the rest is released. */
  readonly partialCapture: boolean
  /** The rail's form of a void of a captured payment that is not settled. */
  readonly voidCaptured: 'void' | 'refund' | 'no'
  /** Whether it accepts the refund of a payment that is not settled. */
  readonly refundBeforeSettlement: boolean
  /** Milliseconds after which an authorization ends; payctl ends it after 7 days at the latest. */
  readonly authorizationLifetime: number
  /** Whether its answers contain tokens. */
  readonly tokens: boolean
  /** Whether payers authenticate: it answers `action`, and has `cancel`. */
  readonly authentication: boolean
  /** Whether it stores a method without a payment. */
  readonly store: boolean
  readonly idempotency: 'embedded' | 'key' | 'search' | 'contents' | 'file'
  /** Milliseconds for which a request may still be on its way or not be listed: `never_seen` counts only then. */
  readonly horizon: number
  readonly reports: RailReports
}

/** Address and account for a rail's requests. */
export interface Credentials {
  readonly environment: 'test' | 'live'
  /** Base address, without a slash at its end. */
  readonly baseUrl: string
  /** Secrets by the names that the registry declares. */
  readonly secrets: { readonly [name: string]: string | undefined }
  /** The merchant's account at the gateway, where the secrets reach several. */
  readonly merchant?: string | undefined
  /** Further accounts to which routes lead. */
  readonly merchants?: readonly string[]
}

/** Headers of an HTTP request, in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>

/** Effects that a rail needs. */
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
  /** Finds the outcome of this very operation. */
  find(operation: GatewayOperation, sent: SentAt, credentials: Credentials): Promise<FoundOutcome>
  /**
   * Ends a payment that waits for its payer, and answers its outcome: declined once it has ended, approved if it had
   * succeeded before. May be repeated.
   */
  cancel?(operation: GatewayOperation, sent: SentAt, credentials: Credentials): Promise<FoundOutcome>
  /** Stores a method without a payment: approved with a token and amount 0. Rejects when the outcome is not known. */
  store?(operation: StoreOperation, credentials: Credentials): Promise<GatewayOutcome>
  /** Finds the outcome of this very `store`. */
  findStored?(operation: StoreOperation, sent: SentAt, credentials: Credentials): Promise<FoundOutcome>
  /**
   * Finds operations of one merchant by their references, at rails that search a list. The list is read once for many
   * operations, and `find` queries by id afterwards. Operations that are searched in another way are left out.
   */
  locate?(sent: readonly SentOperation[], credentials: Credentials): Promise<ReadonlyMap<string, Located>>
  /** Notifications in a request to our address. Throws `BadSignature`. */
  receive?(headers: Headers, rawBody: Buffer, credentials: Credentials): readonly GatewayNotification[]
  /** Notifications since the cursor, of rails that are polled; `null` begins. */
  notifications?(cursor: string | null, credentials: Credentials): Promise<Notifications>
  /** Reads the object of a notification from the gateway. */
  read?(notification: GatewayNotification, credentials: Credentials): Promise<readonly GatewayNotice[]>
  /** Payouts since the cursor; `null` begins at `since`, in milliseconds since 1970. */
  settlements?(cursor: string | null, credentials: Credentials, since?: number): Promise<Settlements>
  /**
   * Every operation of the gateway since a moment (milliseconds since 1970), for a restored database that lacks some.
   * Rejects where they cannot all be read.
   */
  operations?(since: number, credentials: Credentials): AsyncIterable<FoundOperation>
  /** Disputes that are read and answered through the rail. */
  readonly disputes?: RailDisputes
  /** Checks at the gateway what live payments need. The first check is of the credentials. */
  check?(gateway: CheckedGateway, credentials: Credentials): Promise<readonly GatewayCheck[]>
  readonly endpoints?: RailEndpoints<[Credentials]>
  /** Kinds of method that its own fields take in pages; none while the credentials lack what these need. */
  fieldMethods?(credentials: Credentials): readonly FieldsMethod[]
  /** Its fields for one page. Rejects when they cannot be had. */
  fields?(merchant: string | undefined, credentials: Credentials): Promise<PayerFields>
  /**
   * Describes the method of a token before it is charged, empty where the rail does not say. Undefined for a token that
   * it does not know, or that the sender may not use. Rejects when it cannot be read.
   */
  describe?(given: GivenToken, credentials: Credentials): Promise<MethodDescription | undefined>
}

/** Any other end of the call leaves its outcome unknown: the dispute is read again later. */
export type DisputeOutcome = DisputeAnswered | NotSentOutcome | MisconfiguredOutcome

export interface RailDisputes extends DisputeAbilities {
  /** Current state of a dispute, with the money that it has moved. */
  read(at: DisputeAt, credentials: Credentials): Promise<readonly GatewayNotice[]>
  /** Rejects when the outcome is not known. */
  answer(answer: DisputeAnswer, credentials: Credentials): Promise<DisputeOutcome>
}

export interface Notifications {
  readonly notifications: readonly GatewayNotification[]
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
  /** The circuits of this process; omitted for gateways that have none. */
  readonly circuits?: Circuits
  /** This gateway with reads that are cut off when the budget is spent. Operations go on to their own end. */
  limitedTo?(budget: ReadBudget): RemoteGateway
}

export interface GatewayDisputes extends DisputeAbilities {
  read(at: DisputeAt): Promise<readonly GatewayNotice[]>
  answer(answer: DisputeAnswer): Promise<DisputeOutcome>
}

/**
 * Part of a gateway that a circuit's cause affects. A refusal has its own scope. `unreachable` affects the whole gateway.
 * `failing` means that answers about one merchant cannot be understood. `reading` is a refused query, which does not hold
 * back any operation.
 */
export type CircuitScope = RefusalScope | 'unreachable' | 'failing' | 'reading'

/** Reason why operations are kept from a gateway for a while. */
export interface CircuitCause {
  readonly scope: CircuitScope
  /** The merchant, empty for the credentials' own; of `reading` the call, and the merchant if one is named. */
  readonly subject: string
  readonly problem: string
  /** Time of the last failure, in milliseconds since 1970. */
  readonly noticedAt: number
}

/** A cause that is over. */
export interface OverCause extends Pick<CircuitCause, 'scope' | 'subject'> {
  /** Time of the operation that worked, in milliseconds since 1970. */
  readonly workedAt: number
}

/** Causes that a process has met, and those that others have stored. */
export interface Circuits {
  /** Causes that are not stored yet. */
  unstored(): readonly CircuitCause[]
  /** Stored causes that are over, as an operation in their reach has worked since. */
  over(): readonly OverCause[]
  /** Adopts the stored causes, whichever process has met them. */
  follow(stored: readonly CircuitCause[]): void
}

export type Gateway = EmbeddedGateway | RemoteGateway
