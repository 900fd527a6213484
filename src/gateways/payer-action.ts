import type { GatewayMethod } from './gateway-method.js'

/**
 * Step by which a payer authenticates with the bank (3-D Secure). It happens in the page, by the rail's script and a
 * secret, or at another address.
 */
export interface PayerAction {
  /** Secret of this operation alone, for the rail's script in the payer's page; neither stored nor logged. */
  readonly clientSecret?: string
  /** Address to which the payer's browser is sent; from there it comes to the operation's `returnUrl`. */
  readonly redirect?: string
}

/** Payer's consent to a method that is stored for later payments. */
export interface Consent {
  /** Text that the payer has agreed to. */
  readonly text: string
  /** Milliseconds since 1970. */
  readonly givenAt: number
  /** Internet address of the payer, if it is known. */
  readonly address?: string | undefined
}

/** A method that is stored at the gateway without a payment. */
export interface StoreOperation {
  /** Ours, and stable: a method that is sent twice is stored once. */
  readonly reference: string
  /** The merchant's account at the gateway, where the credentials reach several. */
  readonly merchant?: string | undefined
  /** Address to which the payer's browser comes back after it has authenticated elsewhere. */
  readonly returnUrl?: string | undefined
  /** The method by its number or a token that was made in the payer's page; omitted in a search. */
  readonly method?: GatewayMethod | undefined
  readonly consent: Consent
}
