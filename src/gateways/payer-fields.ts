/**
 * Fields of a processor in a page of ours or of a shop: the payer types there, and this service gets a token. Types
 * only, for rails and for pages.
 */

/** Kinds of method that fields take. */
export type FieldsMethod = 'card' | 'bank_account'

/** Origins that the policy of a page with such fields allows, by directive, besides its own. */
export interface FieldsOrigins {
  readonly script: readonly string[]
  readonly frame: readonly string[]
  readonly connect: readonly string[]
}

/** Script of a processor and what it is called with; any visitor of a page may see all of it. */
export interface PayerFields {
  /** The script's interface: Stripe.js, AcceptUI, or the components of a server of this interface. */
  readonly kind: 'stripe' | 'accept' | 'payload'
  /** Address of the script. */
  readonly script: string
  readonly origins: FieldsOrigins
  /** Publishable values by the script's own names: `publishableKey`, `stripeAccount`. */
  readonly settings: Readonly<Record<string, string>>
  /** Script for frames of this service, where the processor has one. */
  readonly inFrames?: FrameScript
}

/** Script that makes a token of a number which was typed into frames of this service; called with the same settings. */
export interface FrameScript {
  readonly script: string
  /** Origins to which it sends the number. */
  readonly connect: readonly string[]
}

/** A method as far as a rail reports it; omitted what it does not report. */
export interface MethodDescription {
  readonly brand?: 'american_express' | 'visa' | 'discover' | 'mastercard' | undefined
  readonly lastFour?: string | undefined
  /** `MM/YY` */
  readonly expiry?: string | undefined
  readonly funding?: 'credit' | 'debit' | 'prepaid' | undefined
  /** Equal for all tokens of one number at one gateway. */
  readonly fingerprint?: string | undefined
}

/** A token whose method is to be described before it is charged. */
export interface GivenToken {
  /** Kind that the method must have; undefined for any. */
  readonly type: FieldsMethod | undefined
  readonly token: string
  /** The merchant's account at the gateway, where the credentials reach several. */
  readonly merchant?: string | undefined
  /** Whether a visitor of a page sent it: only tokens that the fields have made, and that belong to nobody, count. */
  readonly isFromPage: boolean
}
