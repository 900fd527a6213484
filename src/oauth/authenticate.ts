import { timingSafeEqual } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Principal } from '../core/principal.js'
import type { Environment } from '../core/work.js'
import type { Clock } from '../effects/clock.js'
import { datetimeOf } from '../schema/datetime.js'
import { prepared } from '../store/prepared.js'
import type { Store } from '../store/store.js'
import type { ApiKeyRow } from '../store/tables.js'
import { turnedAway } from '../store/turned-away.js'
import type { Vault } from '../store/vault.js'
import { isAlive } from './lifetime.js'
import { permissionsOf, principalOf } from './permissions.js'
import { environmentOf, PURPOSE } from './secret.js'

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
 * Tells who holds a credential: a secret key chooses its environment by its prefix and is looked up by its keyed
 * hash, at every request, so that a revoked key is refused at once whoever revoked it. Requests that come in the
 * same turn of the event loop with the same credential share one look, which is taken after all of them came.
 * Answers nothing when it is unknown, revoked or expired. Client keys and OAuth tokens get their own forms here.
 * Spec: "Authentication".
 */
export function authenticator(open: (environment: Environment) => Promise<KeyRing>, clock: Clock) {
  const asked = new Map<string, Promise<Holder | undefined>>()

  const look = async (credential: string, environment: Environment): Promise<Holder | undefined> => {
    await setImmediate()
    asked.delete(credential)
    const { store, vault } = await open(environment)
    const hash = vault.hash(credential, PURPOSE)
    const [row] = await store.read((tx) => tx.run(keyByHash, { hash }))
    if (!row || !isSame(row.key_hash, hash) || !isAlive(row, datetimeOf(clock.now()))) return undefined
    const { id, turned_away: maintenance } = row
    return { environment, principal: principalOf(id, permissionsOf(row)), maintenance }
  }

  return async (credential: string): Promise<Holder | undefined> => {
    const environment = environmentOf(credential)
    if (!environment) return undefined
    const looking = asked.get(credential) ?? look(credential, environment)
    asked.set(credential, looking)
    return await looking
  }
}

const keyByHash = prepared<{ hash: string }, ApiKeyRow & { turned_away: string | null }>((db, param) =>
  db
    .selectFrom('admin_keys')
    .selectAll()
    .select(turnedAway)
    .where('key_hash', '=', param('hash'))
    .where('deleted_at', 'is', null),
)

/** The index found the row by comparing early bytes first; this comparison takes the same time wherever they differ. */
function isSame(stored: string | null, computed: string): boolean {
  const left = Buffer.from(stored ?? '')
  const right = Buffer.from(computed)
  return left.length === right.length && timingSafeEqual(left, right)
}
