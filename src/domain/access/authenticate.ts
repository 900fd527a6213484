import { setImmediate } from 'node:timers/promises'
import type { Principal } from '../../engine/core/request/principal.js'
import { maintenanceMessage } from '../../engine/store/database/maintenance-message.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { Environment, Runs, Store, Tx } from '../../engine/store/database/store.js'
import type { AccessTokenRow, ApiKeyRow, OauthGrantRow } from '../../engine/store/database/tables.js'
import type { Vault } from '../../engine/store/vault/vault.js'
import type { Clock } from '../../platform/clock.js'
import { equalsInConstantTime } from '../../platform/constant-time.js'
import { datetimeOf } from '../../schema/datetime.js'
import type { Method } from '../../schema/resource.js'
import type { Input } from '../../schema/types.js'
import { grantById, grantedIds } from './grants/grant-rule.js'
import { isAlive } from './keys/lifetime.js'
import { type Permissions, permissionsOf, principalOf } from './keys/permissions.js'
import { type CredentialForm, formOf, OAUTH_PURPOSE, PURPOSE } from './keys/secret.js'

/** Store, vault and maintenance of one environment, as far as authentication needs them. */
export interface KeyRing {
  readonly store: Store
  readonly vault: Vault
}

/** Holder of a credential, and its environment. */
export interface Holder {
  readonly environment: Environment
  readonly principal: Principal
  /** Message to clients while the environment is in maintenance; null or omitted when it is not. */
  readonly maintenance?: string | null
}

/**
 * Finds the holder of a credential; undefined if it is unknown, revoked or expired. The prefix names the environment.
 * Each request looks the credential up (a secret key by its keyed hash), so a revoked key is refused at once in every
 * process. Requests with the same credential in one turn of the event loop share a lookup, which begins after all of
 * them arrived. Spec: "Authentication".
 */
export function authenticator(open: (environment: Environment) => Promise<KeyRing>, clock: Clock) {
  const pending = new Map<string, Promise<Holder | undefined>>()

  const lookUp = async (
    credential: string,
    { environment, kind }: CredentialForm,
  ): Promise<Holder | undefined> => {
    await setImmediate()
    pending.delete(credential)
    const { store, vault } = await open(environment)
    const found = await holderOf({ store, vault }, kind, credential, datetimeOf(clock.now()))
    return found && { environment, ...found }
  }

  return async (credential: string): Promise<Holder | undefined> => {
    const form = formOf(credential)
    if (!form) return undefined
    const lookup = pending.get(credential) ?? lookUp(credential, form)
    pending.set(credential, lookup)
    return await lookup
  }
}

type Found = Omit<Holder, 'environment'>

async function holderOf(
  { store, vault }: KeyRing,
  kind: CredentialForm['kind'],
  credential: string,
  now: string,
): Promise<Found | undefined> {
  switch (kind) {
    case 'secret':
      return await holderOfSecretKey(store, vault.hash(credential, PURPOSE), now)
    case 'client':
      return await store.read((tx) => holderOfClientKey(tx, credential, now))
    case 'access':
      return await store.read((tx) => holderOfAccessToken(tx, vault.hash(credential, OAUTH_PURPOSE), now))
    case 'refresh':
    case 'code':
      return undefined
  }
}

/** Permissions and maintenance are in one row, so that one statement reads both. */
async function holderOfSecretKey(database: Runs, hash: string, now: string): Promise<Found | undefined> {
  const [row] = await database.run(keyByHash, { hash })
  // The index compared early bytes first; this comparison takes the same time wherever the bytes differ.
  if (!row || !equalsInConstantTime(row.key_hash ?? '', hash) || !isAlive(row, now)) return undefined
  return { principal: principalOf(row.id, permissionsOf(row)), maintenance: row.maintenance_message }
}

/** A client key ends with the secret key that made it; one that the operator made depends on no key. */
async function holderOfClientKey(tx: Tx, id: string, now: string): Promise<Found | undefined> {
  const [token] = await tx.run(tokenById, { id })
  if (!token || !isAlive(token, now)) return undefined
  const maintenance = token.maintenance_message
  if (token.key_id === null) return { principal: clientPrincipal(token, {}), maintenance }
  const maker = await permissionsOfAliveMaker(tx, token.key_id, now)
  return maker && { principal: clientPrincipal(token, maker), maintenance }
}

type MakerPermissions = Pick<Permissions, 'processingIds' | 'grants'>

/**
 * Permissions of the maker of a client key now. The maker is a secret key, or an application whose grant is active.
 */
async function permissionsOfAliveMaker(
  tx: Tx,
  id: string,
  now: string,
): Promise<MakerPermissions | undefined> {
  const [key] = await tx.run(keyById, { id })
  if (key) return isAlive(key, now) ? permissionsOf(key) : undefined
  const [grant] = await tx.run(grantById, { id })
  return grant?.status === 'active' ? { processingIds: await grantedIds(tx, grant) } : undefined
}

/** Methods that a client key may use at most, by path. */
export const CLIENT_GRANTS: Readonly<Record<string, readonly Method[]>> = {
  transactions: ['POST'],
  payment_methods: ['POST'],
}

/** Attributes that a page is shown of a payment method: none of its owner. */
const SHOWN_METHOD = ['object', 'id', 'type', 'description', 'card', 'bank_account', 'created_at'] as const

/** Principal of a client key: the permissions of its maker, reduced to what the key's intent allows to create. */
function clientPrincipal(
  { id, fixed, processing_id, origins }: Pick<AccessTokenRow, 'id' | 'processing_id' | 'fixed' | 'origins'>,
  maker: MakerPermissions,
): Principal {
  const byPath: Readonly<Record<string, Input>> = fixed === null ? {} : JSON.parse(fixed)
  const [path = '', intent = {}] = Object.entries(byPath)[0] ?? []
  const isGranted =
    Object.hasOwn(CLIENT_GRANTS, path) && (!maker.grants || maker.grants[path]?.includes('POST'))
  return {
    kind: 'client',
    id,
    manage: false,
    processingIds: maker.processingIds,
    grants: isGranted ? { [path]: ['POST'] } : {},
    intent: processing_id === null || path !== 'transactions' ? intent : { ...intent, processing_id },
    ...(path === 'payment_methods' && { shown: SHOWN_METHOD }),
    ...(origins !== null && { origins: JSON.parse(origins) }),
  }
}

/** An access token may do all that a key of the granted processing accounts may, never `manage`. */
async function holderOfAccessToken(tx: Tx, hash: string, now: string): Promise<Found | undefined> {
  const [grant] = await tx.run(grantByToken, { hash, now })
  if (!grant) return undefined
  const processingIds = await grantedIds(tx, grant)
  return {
    principal: { kind: 'key', id: grant.id, manage: false, processingIds },
    maintenance: grant.maintenance_message,
  }
}

interface WithMaintenance {
  readonly maintenance_message: string | null
}

const keyByHash = prepared<{ hash: string }, ApiKeyRow & WithMaintenance>((db, param) =>
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

const tokenById = prepared<{ id: string }, AccessTokenRow & WithMaintenance>((db, param) =>
  db
    .selectFrom('access_tokens')
    .selectAll()
    .select(maintenanceMessage)
    .where('id', '=', param('id'))
    .where('deleted_at', 'is', null),
)

const grantByToken = prepared<{ hash: string; now: string }, OauthGrantRow & WithMaintenance>((db, param) =>
  db
    .selectFrom('oauth_tokens')
    .innerJoin('admin_oauth_grants', 'admin_oauth_grants.id', 'oauth_tokens.grant_id')
    .selectAll('admin_oauth_grants')
    .select(maintenanceMessage)
    .where('token_hash', '=', param('hash'))
    .where('oauth_tokens.kind', '=', 'access')
    .where('oauth_tokens.expires_at', '>', param('now'))
    .where('admin_oauth_grants.status', '=', 'active')
    .where('admin_oauth_grants.deleted_at', 'is', null),
)
