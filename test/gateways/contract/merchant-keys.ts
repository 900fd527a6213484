import type { App } from '../../../src/app.js'
import { owner, type Principal } from '../../../src/engine/core/request/principal.js'
import type { Environment } from '../../../src/engine/store/database/store.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf } from '../../support/core.js'

/** Kinds of credentials by which payments are requested. */
export const HOLDERS = ['a key that sees all', 'a narrowed key', 'a client key'] as const
export type HolderName = (typeof HOLDERS)[number]

/** Credentials of one merchant. */
export interface MerchantKeys {
  readonly secret: string
  /** Serves payments that a page may request; all else is requested by the secret key. */
  readonly client?: string
}

/** Makes the credentials of a processing account; a client key is made by the narrowed key. */
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

/** The credential that requests something at `POST /transactions`, or another path. */
export function keyFor(
  { secret, client }: MerchantKeys,
  method: string,
  path: string,
  body?: JsonObject,
): string {
  const isForPages = method === 'POST' && path.startsWith('/transactions') && body?.type === 'payment'
  return client !== undefined && isForPages && body.status === undefined ? client : secret
}
