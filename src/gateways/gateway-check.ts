import type { RefusalScope } from './refusal-scope.js'

/** Result of one check of `gateways test`: something that live payments need, or that they may use. */
export interface GatewayCheck {
  /** Short name for tables: `account`, `charges`, `card numbers`. */
  readonly name: string
  /** `failed` keeps payments or queries from working; `unavailable` only limits what the gateway can be used for. */
  readonly state: 'ok' | 'failed' | 'unavailable'
  /** Text for people: what was found, or the problem and its remedy. */
  readonly found: string
  /** Operations that the gateway refuses if the check does not pass; omitted where it refuses none. */
  readonly scope?: RefusalScope
}

/** Facts about a gateway that its credentials do not have. */
export interface CheckedGateway {
  /** Our address for notifications of the gateway. */
  readonly endpoint: string
  /** Whether routes name merchants, whose events need an endpoint of their own at some rails. */
  readonly hasMerchants: boolean
  /** Whether its payers type card numbers into pages of this service. */
  readonly takesNumbers: boolean
}
