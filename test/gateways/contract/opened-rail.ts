import type { RemoteGateway } from '../../../src/gateways/contract.js'
import type { RailEntry } from '../../../src/gateways/registry/rails.js'
import type { JsonObject } from '../../../src/schema/json.js'
import type { Fault, FaultyNetwork, RailRequest } from './faulty-network.js'

/** Contents of a request that moves money, as far as the rail’s messages carry them. */
export interface Sent {
  readonly type: 'sale' | 'authorize' | 'capture' | 'void' | 'refund' | 'credit' | 'accept' | 'contest'
  /** Minor units. */
  readonly amount?: number | undefined
  /** Ours. */
  readonly reference?: string | undefined
  readonly merchant?: string | undefined
}

/** A request to our address, as the rail posts it. */
export interface Posted {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A payment method and the decline that it brings about. */
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

/** Milliseconds since 1970, moved by a test. */
export interface Time {
  readonly now: number
}

/** A rail with the stateful server of its wire format, which knows every cent, behind a network that loses things. */
export interface WireServer {
  readonly entry: RailEntry
  readonly network: FaultyNetwork
  /** As an operator adds it, without a name. */
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
  /** Whether the answer to a payment names its amount. */
  readonly namesAmounts: boolean
  /** A method whose payer has to authenticate, and what the payer does there. */
  readonly authenticating?: {
    readonly method: JsonObject
    answer(gatewayId: string, passes: boolean): Promise<void>
    /**
     * Set if the rail itself declines a payment whose payer refuses, so that no payment has to be cancelled.
     */
    readonly declinesRefused?: true
    /** Whether it was cancelled. */
    isOver(gatewayId: string): Promise<boolean>
  }
  /** Set if the rail validates a card at its bank before it stores the card. */
  readonly validates?: true
  /** A method of which half of the amount is approved, where the rail does that. */
  readonly partial?: JsonObject
  /** A method of which the outcome of the next payment comes later, with the end that `decide` will give it. */
  pending(isGood: boolean): Promise<JsonObject>
  /** Ends what is pending there. */
  decide(gatewayId: string, isGood: boolean): Promise<void>
  /** The authorization ends there. */
  expire(gatewayId: string): Promise<void>
  /** Settles all payments that were taken. */
  settle(): Promise<void>
  /** Returns the rail’s ids of all its payments and refunds. */
  operations(): Promise<readonly string[]>
  /** A payment that this rail took for somebody else, or before a restore; answers its id. */
  foreign(amount: number): Promise<string>
  /** Somebody at the merchant refunds a part of a payment there, by hand; answers its id. */
  refundByHand(gatewayId: string, amount: number): Promise<string>
  /** Returns the notification that the rail posts about an operation. */
  notice(gatewayId: string): Posted
  /** Posts to each of its endpoints what has happened to an operation. */
  notify(gatewayId: string): Promise<void>
  /** The payer's bank takes all of it back, in minor units; and what the rail posts about that. */
  takeBack(gatewayId: string): Promise<{ readonly amount: number; readonly posted: Posted }>
  /** The payer's bank inquires about it; and what the rail posts about that, where it does. */
  inquire?(gatewayId: string): Promise<Posted>
  /** Milliseconds by which its clock is ahead after each time that it settles. */
  readonly settlesAfter?: number
  /** Credentials that the rail’s own fields in a page need, if the rail has such fields. */
  readonly fieldCredentials?: Readonly<Record<string, string>>
  /** Returns the token that the rail’s fields hand to a page for a typed card. */
  token(): Promise<string>
  /** Its disputes, where it takes answers. */
  disputes?(): Promise<readonly WireDispute[]>
  /** From now on it keeps its usual fee of each payment, where it takes none otherwise. */
  charge?(): void
  /** A refund fails that it had approved; and what the rail posts about that. */
  failRefund?(gatewayId: string): Posted | Promise<Posted>
  /** The last payout fails; and what the rail posts about that. Undefined where there is none to fail. */
  failPayout?(): Posted | undefined
  /** Holds back a part of the next payout; below zero it pays what it held back. */
  reserve?(amount: number): void
  /** The payer's bank decides the dispute of a payment for the payer; what the rail posts about that. */
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

/** A rail as the suite sees it: one with a server, or a gateway in this process. */
export type RailUnderTest =
  | { readonly name: string; readonly open: (time: Time, place: PeerPlace) => Promise<WireServer> }
  | { readonly name: string; readonly inProcess: () => Promise<InProcess> }

/** Makes the home of a server that is a payctl itself. */
export type PeerPlace = () => Promise<{ readonly home: string; readonly databaseUrl?: string }>
