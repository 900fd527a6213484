import type { RefusalScope } from './refusal-scope.js'

/** Result of one check of `gateways test`, about a feature of the gateway that live payments need or may use. */
export interface GatewayCheck {
  /** Short name for tables: `account`, `charges`, `card numbers`. */
  readonly name: string
  /** `failed` keeps payments or queries from working; `unavailable` only limits what the gateway can be used for. */
  readonly state: 'ok' | 'failed' | 'unavailable'
  /** Text for people: what was found, or the problem and its remedy. */
  readonly found: string
  /** Operations that the gateway refuses if the check fails; omitted if it refuses none. */
  readonly scope?: RefusalScope
}

/** Facts about a configured gateway that are not part of its credentials. */
export interface CheckedGateway {
  /** Our address to which the gateway sends notifications. */
  readonly endpoint: string
  /** Whether routes (`gateways route`) name merchants. At some rails their events need a separate endpoint. */
  readonly hasMerchants: boolean
  /** Whether payers type card numbers into payctl's own pages, not into the processor's fields. */
  readonly takesNumbers: boolean
}
