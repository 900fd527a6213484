/**
 * Types for a processor's own card fields in a page of payctl or of a shop. The payer types into these fields, and
 * payctl receives only a token.
 */

/** Kinds of method that a processor's fields accept. */
export type FieldsMethod = 'card' | 'bank_account'

/** Origins that a page with such fields adds to its Content-Security-Policy, by directive. */
export interface FieldsOrigins {
  readonly script: readonly string[]
  readonly frame: readonly string[]
  readonly connect: readonly string[]
}

/** A processor's script and its settings. None of it is secret: every visitor of the page can see it. */
export interface PayerFields {
  /** API of the script: Stripe.js, AcceptUI, or the components of another server with payctl's HTTP API. */
  readonly kind: 'stripe' | 'accept' | 'payload'
  /** Address of the script. */
  readonly script: string
  readonly origins: FieldsOrigins
  /** Publishable values by the script's own names: `publishableKey`, `stripeAccount`. */
  readonly settings: Readonly<Record<string, string>>
  /** Script for payctl's own frames; omitted if the processor has none. */
  readonly inFrames?: FrameScript
}

/** Script that turns a number typed into payctl's own frames into a token. It gets the same `settings`. */
export interface FrameScript {
  readonly script: string
  /** Origins to which the script sends the number. */
  readonly connect: readonly string[]
}

/** Description of a method. Facts that the rail does not report are omitted. */
export interface MethodDescription {
  readonly brand?: 'american_express' | 'visa' | 'discover' | 'mastercard' | undefined
  readonly lastFour?: string | undefined
  /** `MM/YY` */
  readonly expiry?: string | undefined
  readonly funding?: 'credit' | 'debit' | 'prepaid' | undefined
  /** Id of the number at the gateway: all tokens of one number have the same fingerprint. */
  readonly fingerprint?: string | undefined
}

/** A token that a client or a page sent, to be described before it is charged. */
export interface GivenToken {
  /** Kind that the method must have; undefined for any. */
  readonly type: FieldsMethod | undefined
  readonly token: string
  /** The merchant's account at the gateway, if the credentials give access to several. */
  readonly merchant?: string | undefined
  /**
   * Whether a visitor of a page sent the token. Then it must come from the processor's fields and belong to no
   * customer.
   */
  readonly isFromPage: boolean
}
