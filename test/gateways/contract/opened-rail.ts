import type { RemoteGateway } from '../../../src/gateways/contract.js'
import type { RailEntry } from '../../../src/gateways/registry/rails.js'
import type { JsonObject } from '../../../src/schema/json.js'
import type { Fault, FaultyNetwork, RailRequest } from './faulty-network.js'

/** Contents of a request that moves money, as far as the rail’s messages carry them. */
export interface Sent {
  readonly type: 'sale' | 'authorize' | 'capture' | 'void' | 'refund' | 'credit' | 'accept' | 'contest'
  /** Minor units. */
  readonly amount?: number | undefined
  /** Our reference. */
  readonly reference?: string | undefined
  readonly merchant?: string | undefined
}

/** A notification as the rail posts it to our address. */
export interface Posted {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A payment method that is declined, and the status code of its decline. */
export interface Declining {
  readonly statusCode: string
  readonly method: JsonObject
}

/** A dispute in the books of a rail. */
export interface WireDispute {
  readonly id: string
  readonly stage: string
  /** Whether evidence was submitted. */
  readonly isContested: boolean
}

/** Time in milliseconds since 1970, set by a test. */
export interface Time {
  readonly now: number
}

/** A rail with a test server of its wire format, behind a network with faults. The server keeps complete books. */
export interface WireServer {
  readonly entry: RailEntry
  readonly network: FaultyNetwork
  /** Configuration as an operator enters it, without the name. */
  readonly configuration: {
    readonly kind: string
    readonly base_url: string
    readonly merchant?: string
    readonly credentials: Readonly<Record<string, string>>
  }
  /** Parses a request that moves money. */
  sent(request: RailRequest): Sent
  /** Returns the total of payments less refunds at the rail, in minor units. */
  taken(): Promise<number>
  readonly declines: readonly Declining[]
  /** Whether the rail's answer to a payment contains the amount. */
  readonly namesAmounts: boolean
  /** A method whose payer has to authenticate. `answer` lets the payer authenticate or refuse. */
  readonly authenticating?: {
    readonly method: JsonObject
    answer(gatewayId: string, passes: boolean): Promise<void>
    /** Set if the rail declines a payment whose payer refuses. Otherwise payctl has to cancel it. */
    readonly declinesRefused?: true
    /** Whether the payment was cancelled at the rail. */
    isOver(gatewayId: string): Promise<boolean>
  }
  /** Set if the rail validates a card with its bank before storing it. */
  readonly validates?: true
  /** A method for which half of the amount is approved, if the rail approves parts. */
  readonly partial?: JsonObject
  /** Returns a method whose next payment stays pending. `isGood` is how `decide` will end it. */
  pending(isGood: boolean): Promise<JsonObject>
  /** Ends a pending payment at the rail: approved if `isGood`, otherwise failed. */
  decide(gatewayId: string, isGood: boolean): Promise<void>
  /** Lets an authorization expire at the rail. */
  expire(gatewayId: string): Promise<void>
  /** Settles all payments at the rail. */
  settle(): Promise<void>
  /** Returns the rail’s ids of all its payments and refunds. */
  operations(): Promise<readonly string[]>
  /** Adds a payment that payctl did not request, or that was made before a restore. Returns its id at the rail. */
  foreign(amount: number): Promise<string>
  /** Refunds a part of a payment by hand at the rail. Returns the refund's id there. */
  refundByHand(gatewayId: string, amount: number): Promise<string>
  /** Returns the notification that the rail posts about an operation. */
  notice(gatewayId: string): Posted
  /** Posts a notification about an operation to all endpoints. */
  notify(gatewayId: string): Promise<void>
  /**
   * Lets the payer's bank take back a whole payment. Returns the amount in minor units, and the rail's notification.
   */
  takeBack(gatewayId: string): Promise<{ readonly amount: number; readonly posted: Posted }>
  /**
   * Lets the payer's bank inquire about a payment. Returns the rail's notification. Omitted if the rail has no
   * inquiries.
   */
  inquire?(gatewayId: string): Promise<Posted>
  /** Milliseconds by which the rail's clock is ahead after each settlement. */
  readonly settlesAfter?: number
  /** Credentials that the rail’s own fields in a page need, if the rail has such fields. */
  readonly fieldCredentials?: Readonly<Record<string, string>>
  /** Returns a token as the rail’s fields make it for a typed card. */
  token(): Promise<string>
  /** Returns all disputes at the rail; omitted if the rail accepts no answers. */
  disputes?(): Promise<readonly WireDispute[]>
  /** Makes the rail charge its usual fee for each payment from now on. By default it charges none. */
  charge?(): void
  /** Lets an approved refund fail. Returns the rail's notification. */
  failRefund?(gatewayId: string): Posted | Promise<Posted>
  /** Lets the last payout fail. Returns the rail's notification; undefined if no payout can fail. */
  failPayout?(): Posted | undefined
  /** Holds back an amount (cents) from the next payout; a negative amount releases it. */
  reserve?(amount: number): void
  /** Lets the payer win the dispute of a payment. Returns the rail's notification. */
  lose?(gatewayId: string): Promise<Posted>
  /** Returns the total paid out to the bank without failed payouts, in minor units, if the rail reports payouts. */
  paidOut?(): Promise<number>
  close(): Promise<void>
}

/** A gateway in this process. */
export interface InProcess {
  readonly gateway: RemoteGateway
  readonly declines: readonly Declining[]
  /** Sets the fault of the next request, if the rail allows it. */
  fault?(fault: Fault): void
  release?(): void
}

/** A rail of the contract tests: with a test server, or as a gateway in this process. */
export type RailUnderTest =
  | { readonly name: string; readonly open: (time: Time, place: PeerPlace) => Promise<WireServer> }
  | { readonly name: string; readonly inProcess: () => Promise<InProcess> }

/** Creates a home for the server of the rail `peer`, which is another payctl. */
export type PeerPlace = () => Promise<{ readonly home: string; readonly databaseUrl?: string }>
