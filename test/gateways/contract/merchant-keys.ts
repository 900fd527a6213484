import type { App } from '../../../src/app.js'
import { owner, type Principal } from '../../../src/engine/core/request/principal.js'
import type { Environment } from '../../../src/engine/store/database/store.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf } from '../../support/core.js'

/** Kinds of keys with which the contract tests request payments. */
export const HOLDERS = ['a key that sees all', 'a narrowed key', 'a client key'] as const
export type HolderName = (typeof HOLDERS)[number]

/**
 * Tag of a key's tests. `npm test` tests each rail with the first key only: the others may do less, but what is sent to
 * the rail is the same.
 */
export function runOf(holder: HolderName): string {
  return holder === 'a key that sees all' ? '' : ' @rest'
}

/** Keys of one merchant. */
export interface MerchantKeys {
  readonly secret: string
  /** Client key, for payments that a page may request. All other requests use the secret key. */
  readonly client?: string
}

/** Creates the keys of a processing account. The client key is created with the narrowed key. */
export async function makeKeys(
  app: App,
  environment: Environment,
  holder: HolderName,
  account: string,
): Promise<MerchantKeys> {
  const { core } = await app.environment(environment)
  const make = async (path: string, body: JsonObject, principal: Principal): Promise<JsonObject> => {
    const { status, body: made } = await core.handle({ method: 'POST', path, body, principal })
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(made)}`)
    return made
  }
  const scope: JsonObject = holder === 'a key that sees all' ? {} : { processing_ids: [account] }
  const secret = String((await make('/admin/keys', scope, owner)).secret_key)
  if (holder !== 'a client key') return { secret }
  const maker = await app.authenticate(secret)
  if (!maker) throw new Error('The narrowed key is unknown')
  return { secret, client: idOf(await make('/access_tokens', { type: 'client' }, maker.principal)) }
}

/** The key for a request: the client key for payments that it may request, otherwise the secret key. */
export function keyFor(
  { secret, client }: MerchantKeys,
  method: string,
  path: string,
  body?: JsonObject,
): string {
  const isForPages = method === 'POST' && path.startsWith('/transactions') && body?.type === 'payment'
  return client !== undefined && isForPages && body.status === undefined ? client : secret
}
