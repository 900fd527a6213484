import { timingSafeEqual } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Principal } from '../../engine/core/request/principal.js'
import { maintenanceMessage } from '../../engine/store/database/maintenance-message.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { Environment, Store, Tx } from '../../engine/store/database/store.js'
import type { AccessTokenRow, ApiKeyRow } from '../../engine/store/database/tables.js'
import type { Vault } from '../../engine/store/vault/vault.js'
import type { Clock } from '../../platform/clock.js'
import { datetimeOf } from '../../schema/datetime.js'
import { grantById, grantedIds } from './grants/granted.js'
import { holderOfAccessToken } from './grants/holder.js'
import { clientPrincipal } from './keys/client-principal.js'
import { isAlive } from './keys/lifetime.js'
import { type Permissions, permissionsOf, principalOf } from './keys/permissions.js'
import { type Form, formOf, OAUTH_PURPOSE, PURPOSE } from './keys/secret.js'

/** Where the keys of one environment are kept. */
export interface KeyRing {
  readonly store: Store
  readonly vault: Vault
}

/** Who holds a credential, and in which environment. */
export interface Holder {
  readonly environment: Environment
  readonly principal: Principal
  /** What programs are told while the environment is in maintenance; nothing when it is not. */
  readonly maintenance?: string | null
}

/**
 * Tells who holds a credential: a key chooses its environment by its prefix and is looked up at every request (a
 * secret key by its keyed hash), so that a revoked key is refused at once whoever revoked it. Requests that come in
 * the same turn of the event loop with the same credential share one look, which is taken after all of them came.
 * Answers nothing when it is unknown, revoked or expired. Spec: "Authentication".
 */
export function authenticator(open: (environment: Environment) => Promise<KeyRing>, clock: Clock) {
  const asked = new Map<string, Promise<Holder | undefined>>()

  const look = async (credential: string, { environment, kind }: Form): Promise<Holder | undefined> => {
    await setImmediate()
    asked.delete(credential)
    const { store, vault } = await open(environment)
    const now = datetimeOf(clock.now())
    const known = await store.read(async (tx) => {
      switch (kind) {
        case 'secret':
          return await holderOfSecretKey(tx, vault.hash(credential, PURPOSE), now)
        case 'client':
          return await holderOfClientKey(tx, credential, now)
        case 'access':
          return await holderOfAccessToken(tx, vault.hash(credential, OAUTH_PURPOSE), now)
        case 'refresh':
        case 'code':
          return undefined
      }
    })
    return known && { environment, ...known }
  }

  return async (credential: string): Promise<Holder | undefined> => {
    const form = formOf(credential)
    if (!form) return undefined
    const looking = asked.get(credential) ?? look(credential, form)
    asked.set(credential, looking)
    return await looking
  }
}

type Known = Omit<Holder, 'environment'>

async function holderOfSecretKey(tx: Tx, hash: string, now: string): Promise<Known | undefined> {
  const [row] = await tx.run(keyByHash, { hash })
  if (!row || !isSame(row.key_hash, hash) || !isAlive(row, now)) return undefined
  return { principal: principalOf(row.id, permissionsOf(row)), maintenance: row.turned_away }
}

/** A client key stops with the key that made it; those that the operator made depend on none. */
async function holderOfClientKey(tx: Tx, id: string, now: string): Promise<Known | undefined> {
  const [token] = await tx.run(tokenById, { id })
  if (!token || !isAlive(token, now)) return undefined
  const maintenance = token.turned_away
  if (token.key_id === null) return { principal: clientPrincipal(token, {}), maintenance }
  const maker = await permissionsOfAliveMaker(tx, token.key_id, now)
  return maker && { principal: clientPrincipal(token, maker), maintenance }
}

/** What the maker of a client key may do now: a secret key, or an application with access that was granted. */
async function permissionsOfAliveMaker(
  tx: Tx,
  id: string,
  now: string,
): Promise<Pick<Permissions, 'processingIds' | 'grants'> | undefined> {
  const [key] = await tx.run(keyById, { id })
  if (key) return isAlive(key, now) ? permissionsOf(key) : undefined
  const [grant] = await tx.run(grantById, { id })
  return grant?.status === 'active' ? { processingIds: await grantedIds(tx, grant) } : undefined
}

interface TurnedAway {
  /** What programs are told while the environment is in maintenance. */
  turned_away: string | null
}

const keyByHash = prepared<{ hash: string }, ApiKeyRow & TurnedAway>((db, param) =>
  db
    .selectFrom('admin_keys')
    .selectAll()
    .select(maintenanceMessage)
    .where('key_hash', '=', param('hash'))
    .where('deleted_at', 'is', null),
)

const keyById = prepared<{ id: string }, ApiKeyRow>((db, param) =>
  db.selectFrom('admin_keys').selectAll().where('id', '=', param('id')).where('deleted_at', 'is', null),
)

const tokenById = prepared<{ id: string }, AccessTokenRow & TurnedAway>((db, param) =>
  db
    .selectFrom('access_tokens')
    .selectAll()
    .select(maintenanceMessage)
    .where('id', '=', param('id'))
    .where('deleted_at', 'is', null),
)

/** The index found the row by comparing early bytes first; this comparison takes the same time wherever they differ. */
function isSame(stored: string | null, computed: string): boolean {
  const left = Buffer.from(stored ?? '')
  const right = Buffer.from(computed)
  return left.length === right.length && timingSafeEqual(left, right)
}
