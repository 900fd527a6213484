import { setImmediate } from 'node:timers/promises'
import { owner, type Principal } from '../../engine/core/request/principal.js'
import { logEnd } from '../../engine/store/books/log-end.js'
import { maintenanceMessage } from '../../engine/store/database/maintenance-message.js'
import { prepared } from '../../engine/store/database/prepared.js'
import { type Environment, type Runs, readAgain, type Store } from '../../engine/store/database/store.js'
import type {
  AccessTokenRow,
  ApiKeyRow,
  OauthGrantRow,
  OauthTokenRow,
  OperatorRow,
} from '../../engine/store/database/tables.js'
import type { Vault } from '../../engine/store/vault/vault.js'
import type { Clock } from '../../platform/clock.js'
import { equalsInConstantTime } from '../../platform/constant-time.js'
import type { Row } from '../../schema/columns.js'
import { datetimeOf } from '../../schema/datetime.js'
import type { Input } from '../../schema/types.js'
import { grantById, grantedAccounts } from './grants/grant-rule.js'
import { CREATIONS, isCreated, mayCreate } from './keys/created.js'
import { isAlive } from './keys/lifetime.js'
import { permissionsOf, principalOf } from './keys/permissions.js'
import { type CredentialForm, formOf, OAUTH_PURPOSE, PURPOSE } from './keys/secret.js'
import { type Login, loginPrincipal, principalOfOperator } from './operators/operator-principal.js'
import { NotAsSealed, RefusalReports } from './seals/not-as-sealed.js'

export type { Login } from './operators/operator-principal.js'

/** Store and vault of one environment, which authentication needs. */
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
 * process. All rows that the credential depends on must match their newest seals. Requests with the same credential
 * in one turn of the event loop share a lookup, which begins after all of them arrived. Spec: "Authentication".
 */
export function authenticator(
  open: (environment: Environment) => Promise<KeyRing>,
  clock: Clock,
  report: (error: unknown) => void,
) {
  const pending = new Map<string, Promise<Holder | undefined>>()
  const refusals = new RefusalReports(report)

  const lookUp = async (
    credential: string,
    { environment, kind }: CredentialForm,
  ): Promise<Holder | undefined> => {
    await setImmediate()
    pending.delete(credential)
    const { store, vault } = await open(environment)
    const now = datetimeOf(clock.now())
    const find = () => readAgain(() => holderOf({ store, vault }, kind, credential, now))
    const found = await refusals.answer(find, undefined)
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

/** Reads the principal of a login at a terminal; undefined if the login has no access. Throws `NotAsSealed`. */
export async function readLogin(store: Store, login: Login): Promise<Principal | undefined> {
  const { seals } = store
  // Without seals, the database is open for examination only. The examiner can read the file itself, so a role would
  // protect no data.
  if (!seals) return owner
  return await readAgain(() =>
    store.read((tx) =>
      loginPrincipal({ tx, sealProblem: (table, id, row) => seals.problem(tx, { table, id, row }) }, login),
    ),
  )
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
      return await store.read((tx) => holderOfClientKey(new SealedReading(store, tx), credential, now))
    case 'access': {
      const hash = vault.hash(credential, OAUTH_PURPOSE)
      return await store.read((tx) => holderOfAccessToken(new SealedReading(store, tx), hash, now))
    }
    case 'refresh':
    case 'code':
    case 'entry':
      return undefined
  }
}

/** One consistent read, in which each row must match its newest seal. */
class SealedReading {
  private seen: string | undefined

  constructor(
    private readonly store: Store,
    readonly tx: Runs,
  ) {}

  /**
   * Throws `NotAsSealed` if a row does not match its newest seal. The first row of a read must have `log_end`, the end
   * of the log of seals.
   */
  async expect(table: string, row: Row & { readonly id: string; readonly log_end?: string }): Promise<void> {
    this.seen ??= row.log_end
    const { seals } = this.store
    if (!seals) throw new Error('A database that is only looked at authenticates nobody')
    const problem = await seals.problem(this.tx, { table, id: row.id, row }, this.seen)
    if (problem !== undefined) throw new NotAsSealed(problem)
  }
}

/**
 * Finds the holder of a secret key. One statement reads its permissions, the maintenance message and the end of the
 * log of seals.
 */
async function holderOfSecretKey(store: Store, hash: string, now: string): Promise<Found | undefined> {
  const [row] = await store.run(keyByHash, { hash })
  // The index lookup stops at the first byte that differs. This comparison takes the same time wherever the bytes
  // differ.
  if (!row || !equalsInConstantTime(row.key_hash ?? '', hash) || !isAlive(row, now)) return undefined
  const reading = new SealedReading(store, store)
  await reading.expect('admin_keys', row)
  const maintenance = row.maintenance_message
  if (row.operator_id === null) return { principal: principalOf(row.id, permissionsOf(row)), maintenance }
  const operator = await activeOperator(reading, row.operator_id)
  return operator && { principal: { ...principalOfOperator(operator), token: row.id }, maintenance }
}

/** The operator for whom a key stands, or who made a client key; undefined unless active. Throws `NotAsSealed`. */
async function activeOperator(reading: SealedReading, id: string): Promise<OperatorRow | undefined> {
  const [row] = await reading.tx.run(operatorById, { id })
  if (row) await reading.expect('admin_operators', row)
  return row?.status === 'active' ? row : undefined
}

/**
 * Finds the holder of a client key. The key is refused once its maker is refused: a secret key, a grant or an
 * operator. A key made by an owner who is no named operator has no maker (`key_id` null).
 */
async function holderOfClientKey(
  reading: SealedReading,
  id: string,
  now: string,
): Promise<Found | undefined> {
  const [token] = await reading.tx.run(tokenById, { id })
  if (!token || !isAlive(token, now)) return undefined
  await reading.expect('access_tokens', token)
  const maintenance = token.maintenance_message
  if (token.key_id === null) return { principal: clientPrincipal(token, {}), maintenance }
  const maker = await permissionsOfAliveMaker(reading, token.key_id, now)
  return maker && { principal: clientPrincipal(token, maker), maintenance }
}

type MakerPermissions = Pick<Principal, 'processingIds' | 'grants' | 'role'>

/**
 * Current permissions of the maker of a client key; undefined if the maker is refused itself. The maker is a secret
 * key, an application whose grant is active, or an operator.
 */
async function permissionsOfAliveMaker(
  reading: SealedReading,
  id: string,
  now: string,
): Promise<MakerPermissions | undefined> {
  const [key] = await reading.tx.run(keyById, { id })
  if (key) {
    await reading.expect('admin_keys', key)
    return isAlive(key, now) ? permissionsOf(key) : undefined
  }
  const [grant] = await reading.tx.run(grantById, { id })
  if (grant) return grant.status === 'active' ? { processingIds: await sealedIds(reading, grant) } : undefined
  const operator = await activeOperator(reading, id)
  return operator && principalOfOperator(operator)
}

/**
 * Ids of the processing accounts to which a grant now gives access. Throws `NotAsSealed` if the grant or one of the
 * accounts does not match its seal.
 */
async function sealedIds(reading: SealedReading, grant: OauthGrantRow): Promise<readonly string[]> {
  await reading.expect('admin_oauth_grants', grant)
  const accounts = await grantedAccounts(reading.tx, grant)
  for (const account of accounts) await reading.expect('accounts', account)
  return accounts.map(({ id }) => id)
}

/** Principal of a client key: the permissions of its maker, reduced to what the key's intent allows to create. */
function clientPrincipal(
  { id, fixed, processing_id, origins }: Pick<AccessTokenRow, 'id' | 'processing_id' | 'fixed' | 'origins'>,
  maker: MakerPermissions,
): Principal {
  const byPath: Readonly<Record<string, Input>> = fixed === null ? {} : JSON.parse(fixed)
  const [path = '', intent = {}] = Object.entries(byPath)[0] ?? []
  const creation = isCreated(path) ? CREATIONS[path] : undefined
  const [, ...parts] = creation?.resources.map(({ plural }) => plural) ?? []
  const isGranted = creation?.resources.every((each) => mayCreate(maker, each)) === true
  return {
    kind: 'client',
    id,
    manage: false,
    processingIds: maker.processingIds,
    grants: isGranted ? { [path]: ['POST'] } : {},
    intent: processing_id === null || path !== 'transactions' ? intent : { ...intent, processing_id },
    ...(parts.length > 0 && { parts }),
    ...(creation?.shown && { shown: creation.shown }),
    ...(origins !== null && { origins: JSON.parse(origins) }),
  }
}

/**
 * Finds the holder of an OAuth access token. The token has the rights of a key for the granted processing accounts,
 * without `manage`.
 */
async function holderOfAccessToken(
  reading: SealedReading,
  hash: string,
  now: string,
): Promise<Found | undefined> {
  const [token] = await reading.tx.run(accessTokenByHash, { hash, now })
  if (!token) return undefined
  await reading.expect('oauth_tokens', token)
  const [grant] = await reading.tx.run(grantById, { id: token.grant_id })
  if (grant?.status !== 'active') return undefined
  const processingIds = await sealedIds(reading, grant)
  return {
    principal: { kind: 'key', id: grant.id, manage: false, processingIds },
    maintenance: token.maintenance_message,
  }
}

/** Columns that are read along with a credential. */
type AlongWith = {
  readonly maintenance_message: string | null
  readonly log_end: string
}

const keyByHash = prepared<{ hash: string }, ApiKeyRow & AlongWith>((db, param) =>
  db
    .selectFrom('admin_keys')
    .selectAll()
    .select([maintenanceMessage, logEnd])
    .where('key_hash', '=', param('hash'))
    .where('deleted_at', 'is', null),
)

const operatorById = prepared<{ id: string }, OperatorRow>((db, param) =>
  db.selectFrom('admin_operators').selectAll().where('id', '=', param('id')).where('deleted_at', 'is', null),
)

const keyById = prepared<{ id: string }, ApiKeyRow>((db, param) =>
  db.selectFrom('admin_keys').selectAll().where('id', '=', param('id')).where('deleted_at', 'is', null),
)

const tokenById = prepared<{ id: string }, AccessTokenRow & AlongWith>((db, param) =>
  db
    .selectFrom('access_tokens')
    .selectAll()
    .select([maintenanceMessage, logEnd])
    .where('id', '=', param('id'))
    .where('deleted_at', 'is', null),
)

const accessTokenByHash = prepared<{ hash: string; now: string }, OauthTokenRow & AlongWith>((db, param) =>
  db
    .selectFrom('oauth_tokens')
    .selectAll()
    .select([maintenanceMessage, logEnd])
    .where('token_hash', '=', param('hash'))
    .where('kind', '=', 'access')
    .where('expires_at', '>', param('now')),
)
