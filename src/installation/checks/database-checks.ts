import { headPath, readHead } from '../../engine/store/books/head-file.js'
import { StoreError } from '../../engine/store/database/errors.js'
import type { Environment, Store, Tx } from '../../engine/store/database/store.js'
import { migrationNames } from '../../engine/store/migrations/builder/migration.js'
import { applied } from '../../engine/store/migrations/migrate.js'
import {
  brokenReferences,
  declaredReferences,
  schemaProblems,
} from '../../engine/store/schema/schema-problems.js'
import { keyFilePath, readKeyFile } from '../../engine/store/vault/key-file.js'
import type { Keyring } from '../../engine/store/vault/keyring.js'
import { explainMissingKey, knownKeys, missingKey } from '../../engine/store/vault/known-keys.js'
import { openVault } from '../../engine/store/vault/vault.js'
import { systemRandom } from '../../platform/random.js'
import { timeOfId } from '../../schema/id-time.js'
import type { HeadPlaces } from '../heads/publish-head.js'
import { checkBooks, type KnownBooks } from './books-check.js'
import { type CheckResult, failed, passed, warning } from './check-result.js'
import { catchUp, checkGateways, openExceptions } from './gateway-checks.js'
import { checkHeadElsewhere, type HeadsElsewhere, readHeadsElsewhere } from './head-check.js'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
/** Milliseconds after which an outcome should be known: beyond the horizon of every rail, and then asked for. */
export const UNKNOWN_AFTER = 20 * MINUTE
/** Milliseconds by which the clock may be behind the newest event. */
const DRIFT = 5_000

/** The checks that read the database. */
export async function checkDatabase(
  store: Store,
  environment: Environment,
  { home, now, heads = {} }: { readonly home: string; readonly now: number; readonly heads?: HeadPlaces },
): Promise<CheckResult[]> {
  const path = headPath(home, environment)
  const head = readHead(path)
  const elsewhere = await readHeadsElsewhere(heads, home, environment)
  return await store.read(async (tx) => {
    const schema = migrations(await applied(tx), environment)
    if (schema.state !== 'ok') return [schema]
    return [
      schema,
      ...(await keys(tx, environment, home)),
      ...(await structure(tx, environment)),
      ...(await books(tx, environment, home, { path, head })),
      ...(await headElsewhere(tx, environment, home, { elsewhere, now })),
      await clock(tx, environment, now),
      await deliveries(tx, environment, now),
      ...(await checkGateways(tx, environment)),
      await operations(tx, environment, now),
      ...(await openExceptions(tx, environment)),
      ...(await catchUp(tx, environment)),
      await schedules(tx, environment),
      await maintenance(tx, environment),
    ]
  })
}

function migrations(has: readonly string[], environment: Environment): CheckResult {
  const check = `${environment} migrations`
  const known: readonly string[] = migrationNames
  const newer = has.find((name) => !known.includes(name))
  if (newer !== undefined)
    return failed(check, `made by a newer payctl (${newer})`, 'npm install --global payctl@latest')
  const missing = known.filter((name) => !has.includes(name))
  if (missing.length > 0)
    return warning(check, `${missing.join(', ')} to be applied`, `payctl customers list --env ${environment}`)
  return passed(check, `all ${has.length} applied`)
}

/** Whether tables, indexes, constraints and references are as the migrations made them. */
async function structure(tx: Tx, environment: Environment): Promise<CheckResult[]> {
  const check = `${environment} schema`
  const problems = await schemaProblems(tx)
  if (problems.length > 0)
    return problems.map(({ problem }) => failed(check, problem, 'payctl restore <folder> --yes'))
  const references = await declaredReferences()
  const broken: CheckResult[] = []
  for (const reference of references)
    for (const { id, named } of await brokenReferences(tx, reference, MAX_BROKEN))
      broken.push(
        failed(
          check,
          `${reference.column} of ${id} in ${reference.table} is ${named}, which does not exist`,
          `payctl verify --env ${environment}`,
        ),
      )
  return broken.length > 0 ? broken : [passed(check, `complete, and ${references.length} references hold`)]
}

/** How many broken references of each kind are named. */
const MAX_BROKEN = 10

/** Whether the key file is the one that the database was sealed under; no result when it cannot be read. */
async function keys(tx: Tx, environment: Environment, home: string): Promise<CheckResult[]> {
  const check = `${environment} keys`
  const keyring = keyringOf(home)
  if (!keyring) return []
  const missing = missingKey(keyring, await knownKeys(tx))
  if (!missing) return [passed(check, 'those of the key file')]
  const path = keyFilePath(home)
  const found = explainMissingKey(path, `the ${environment} database`, missing.id)
  return [failed(check, found, 'payctl vault import <file>')]
}

/** No result when the key file cannot be read. */
async function books(
  tx: Tx,
  environment: Environment,
  home: string,
  known: Omit<KnownBooks, 'keyed'>,
): Promise<CheckResult[]> {
  if (!keyringOf(home)) return []
  return [await checkBooks(tx, environment, { ...known, keyed: openVault(home, systemRandom).hash })]
}

/** No result when no head is published elsewhere, or the key file cannot be read. */
async function headElsewhere(
  tx: Tx,
  environment: Environment,
  home: string,
  { elsewhere, now }: { readonly elsewhere: HeadsElsewhere | undefined; readonly now: number },
): Promise<CheckResult[]> {
  if (!elsewhere || !keyringOf(home)) return []
  const { hash: keyed } = openVault(home, systemRandom)
  return [await checkHeadElsewhere(tx, elsewhere, { environment, keyed, now })]
}

/** The keys; undefined when the file cannot be read, which is a check of its own. */
function keyringOf(home: string): Keyring | undefined {
  try {
    return readKeyFile(keyFilePath(home))
  } catch (error) {
    if (error instanceof StoreError) return undefined
    throw error
  }
}

/** Whether the machine's clock is behind the newest event: ids hold the real time at which they were made. */
async function clock({ db }: Tx, environment: Environment, now: number): Promise<CheckResult> {
  const check = `${environment} clock`
  const newest = await db.selectFrom('events').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const behind = newest ? timeOfId(newest.id) - now : 0
  if (behind > DRIFT)
    return failed(
      check,
      `this machine is ${Math.ceil(behind / 1000)} seconds behind what was written last`,
      'sudo timedatectl set-ntp true',
    )
  return passed(check, 'not behind what was written')
}

/** Whether notifications are more than five minutes overdue. */
async function deliveries({ db }: Tx, environment: Environment, now: number): Promise<CheckResult> {
  const check = `${environment} webhooks`
  const { count } = await db
    .selectFrom('deliveries')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('waiting', 'is not', null)
    .where('due_at', '<', now - 5 * MINUTE)
    .executeTakeFirstOrThrow()
  if (Number(count) === 0) return passed(check, 'no notification is overdue')
  return warning(check, `${count} notifications are overdue`, 'payctl serve')
}

/**
 * Whether the outcome of an operation at the gateway is unknown after longer than any rail's horizon. What the gateway has and decides later is
 * pending there for days, as bank payments are; a refund that waits for its payment to settle was not sent yet.
 */
async function operations({ db }: Tx, environment: Environment, now: number): Promise<CheckResult> {
  const check = `${environment} transactions`
  const rows = await db
    .selectFrom('transactions')
    .select(['id', 'status', 'gateway_id', 'open_operation'])
    .where('open_operation', 'is not', null)
    .orderBy('id')
    .execute()
  const unsent = new Set(
    rows.filter(({ open_operation: open }) => open?.endsWith(':unsent')).map(({ id }) => id),
  )
  const stuck = rows.filter(({ id, status, gateway_id: known, open_operation: open }) => {
    const [, other = ''] = open?.split(':') ?? []
    if (unsent.has(id) || unsent.has(other)) return false
    const isPending = status === 'processing' && known !== null
    return now - timeOfId(id) > (isPending ? 10 * DAY : UNKNOWN_AFTER)
  })
  const [first] = stuck
  if (!first) return passed(check, 'no outcome is unknown')
  return failed(
    check,
    `${stuck.length} outcomes are unknown, the oldest is ${first.id}; serve asks the gateway each minute`,
    `payctl transactions explain ${first.id} --env ${environment}`,
  )
}

/** Whether there are schedules that make no invoice, as they have no frequency. */
async function schedules({ db }: Tx, environment: Environment): Promise<CheckResult> {
  const check = `${environment} billing schedules`
  const { count } = await db
    .selectFrom('billing_schedules')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('recurring_frequency', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(count) === 0) return passed(check, 'each has a frequency')
  return warning(
    check,
    `${count} without recurring_frequency make no invoices`,
    `payctl billing-schedules list --where status=without_frequency --env ${environment}`,
  )
}

async function maintenance({ db }: Tx, environment: Environment): Promise<CheckResult> {
  const check = `${environment} maintenance`
  const row = await db.selectFrom('maintenance').select('since').executeTakeFirst()
  if (!row) return passed(check, 'off')
  return warning(
    check,
    `programs are turned away since ${row.since}`,
    `payctl maintenance off --env ${environment}`,
  )
}
