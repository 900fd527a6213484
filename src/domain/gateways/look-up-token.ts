import { type ApiError, invalidAttributes, unavailable } from '../../engine/core/request/api-error.js'
import type { Preparing } from '../../engine/core/write/work.js'
import type { GivenToken, MethodDescription } from '../../gateways/contract.js'
import { noteDescription, readGatewayToken } from './described-token.js'
import type { Gateways } from './gateways.js'

/** The part of a payment method's input that names a token of a gateway. */
interface TokenInput {
  readonly type?: unknown
  readonly gateway_token?: unknown
}

/** Seconds until a client may try again. */
const RETRY_AFTER = 30

/**
 * Queries a gateway for the method behind a token, because the kind of card decides the price. Runs before the unit of
 * work that stores the method. Only that unit of work refuses an unknown token, so that a repeated request gets the
 * first answer again.
 */
export async function lookUpToken(
  gateways: Gateways,
  { type, gateway_token: sent }: TokenInput,
  { principal, read }: Preparing,
): Promise<void> {
  const given = readGatewayToken(sent)
  if (!given || typeof sent !== 'object' || sent === null) return
  const { gateway: name, token, merchant } = given
  const gateway = await read((work) => gateways.forStatus(work, given))
  if (!gateway?.describe) return
  const requested: GivenToken = {
    type: type === 'card' || type === 'bank_account' ? type : undefined,
    token,
    merchant: merchant ?? undefined,
    isFromPage: principal.kind === 'client',
  }
  noteDescription(sent, await answered(name, gateway.describe(requested)))
}

async function answered(
  name: string,
  described: Promise<MethodDescription | undefined>,
): Promise<MethodDescription | ApiError> {
  try {
    return (
      (await described) ??
      invalidAttributes({ gateway_token: `Is unknown to the gateway ${name}, or may not be used here` })
    )
  } catch {
    return unavailable(
      `The gateway ${name} cannot be queried for the token now; nothing happened`,
      RETRY_AFTER,
    )
  }
}
