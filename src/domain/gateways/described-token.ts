import { ApiError } from '../../engine/core/request/api-error.js'
import type { MethodDescription } from '../../gateways/contract.js'
import { brandName } from '../../schema/method-description.js'
import { isTree } from '../../schema/types.js'

/** The token that replaces a number at a gateway. */
export interface GatewayToken {
  readonly gateway: string
  readonly merchant: string | null
  readonly token: string
}

/**
 * Descriptions of tokens in requests under way, or the errors for tokens without one. Keys are the values of
 * `gateway_token`. Descriptions come from gateways only, never from a request.
 */
const descriptions = new WeakMap<object, MethodDescription | ApiError>()

/** Notes the description of a token, or the reason why there is none, for the rule that stores its method. */
export function noteDescription(sent: object, description: MethodDescription | ApiError): void {
  descriptions.set(sent, description)
}

/**
 * The description of a token in a request; undefined if its gateway was not queried. Throws the error if there is no
 * description.
 */
export function descriptionOf(sent: unknown): MethodDescription | undefined {
  const known = typeof sent === 'object' && sent !== null ? descriptions.get(sent) : undefined
  if (known instanceof ApiError) throw known
  return known
}

/** The token in a request; undefined for anything else. */
export function readGatewayToken(sent: unknown): GatewayToken | undefined {
  const { gateway, merchant = null, token } = isTree(sent) ? sent : {}
  const isNamed = isText(gateway) && (merchant === null || isText(merchant))
  return isNamed && isText(token) ? { gateway, merchant, token } : undefined
}

/** Name of a method whose number is unknown here, as far as the gateway describes it: `Visa ending in 4242`. */
export function tokenWords(type: string, { brand, lastFour }: MethodDescription): string {
  if (type === 'bank_account')
    return lastFour ? `Bank account ending in ${lastFour}` : 'Bank account kept by the gateway'
  if (lastFour) return `${brandName(brand)} ending in ${lastFour}`
  return brand ? `${brandName(brand)} kept by the gateway` : 'Card kept by the gateway'
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
