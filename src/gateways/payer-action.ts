import type { GatewayMethod } from './gateway-method.js'

/**
 * Step in which a payer authenticates with the bank (3-D Secure). Either the rail's script does so in the page with
 * `clientSecret`, or the browser goes to `redirect`.
 */
export interface PayerAction {
  /**
   * Secret for the rail's script in the payer's page, valid for this operation only. It is neither stored nor logged.
   */
  readonly clientSecret?: string
  /** Address to which the payer's browser is sent. From there the payer comes back to the operation's `returnUrl`. */
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

/** A request to store a method at the gateway without a payment. */
export interface StoreOperation {
  /** Our id of the request. It never changes, so a method that is sent twice is stored once. */
  readonly reference: string
  /** The merchant's account at the gateway, if the credentials give access to several. */
  readonly merchant?: string | undefined
  /** Address to which the payer's browser comes back after authentication at another site. */
  readonly returnUrl?: string | undefined
  /** The method, with its number or a token from the payer's page. `findStored` does not need it. */
  readonly method?: GatewayMethod | undefined
  readonly consent: Consent
}
