import { readKnownBooks } from '../../engine/store/books/compare-head.js'
import { SealedControl } from '../../engine/store/books/sealed-control.js'
import type { Environment, SqlDialect, Store, Tx } from '../../engine/store/database/store.js'
import { StoreError } from '../../engine/store/database/store-error.js'
import { goneBooks } from '../../engine/store/gone-books.js'
import { appliedMigrations, hasOtherLayout, recordProblem } from '../../engine/store/migrations/migrate.js'
import { migrations } from '../../engine/store/migrations/migrations.js'
import {
  brokenReferences,
  declaredReferences,
  type SchemaProblem,
  schemaProblems,
} from '../../engine/store/schema/schema-problems.js'
import { keyFilePath, readKeyFile } from '../../engine/store/vault/key-file.js'
import type { Keyring } from '../../engine/store/vault/keyring.js'
import { explainMissingKey, knownKeys, missingKey } from '../../engine/store/vault/known-keys.js'
import { openVault } from '../../engine/store/vault/vault.js'
import { systemRandom } from '../../platform/random.js'
import { timeOfId } from '../../schema/id-time.js'
import type { HeadPlaces } from '../published-heads/publish-head.js'
import { checkBooks } from './books-check.js'
import { type CheckResult, failed, passed, restoreFix, warning } from './check-result.js'
import { checkHeadElsewhere, type HeadsElsewhere, readHeadsElsewhere } from './head-check.js'
import { checkPublicAddress } from './notification-checks.js'
import { checkDestinations, type SealProblem } from './seal-checks.js'
import { checkWork } from './work-checks.js'

/** Finding for a database without tables, such as a new one on a PostgreSQL server. */
export const NOT_MADE = 'made with the first use'

/** Maximum milliseconds by which the clock may be behind the newest event. */
const DRIFT = 5_000

/** Context of the checks, besides the database. */
interface ExaminedPlace {
  readonly home: string
  readonly databaseUrl?: string | undefined
  readonly now: number
  readonly publicAddress?: string | undefined
  readonly heads?: HeadPlaces
}

/** Runs the checks that read the database. */
export async function checkDatabase(
  store: Store,
  environment: Environment,
  { home, databaseUrl, now, publicAddress, heads = {} }: ExaminedPlace,
): Promise<CheckResult[]> {
  const known = keyringOf(home) && readKnownBooks(home, environment, openVault(home, systemRandom))
  const elsewhere = await readHeadsElsewhere(heads, home, environment)
  return await store.read(async (tx) => {
    const applied = await appliedMigrations(tx)
    const record = await recordProblem(tx, applied)
    if (record !== undefined) return [failed('migrations', `the database ${record}`, restoreFix(tx.dialect))]
    if (applied.length === 0) {
      const gone = known && goneBooks({ home, databaseUrl, environment })
      return [
        gone === undefined ? passed('migrations', NOT_MADE) : failed('books', gone, restoreFix(tx.dialect)),
      ]
    }
    const schema = migrationsCheck(applied, tx.dialect)
    if (schema.state !== 'ok') return [schema]
    const before = [
      schema,
      ...(await keys(tx, environment, home)),
      ...(known ? [await checkBooks(tx, known)] : []),
    ]
    const problems = await schemaProblems(tx)
    if (problems.some(({ breaks }) => breaks))
      return [...before, ...problems.map(({ problem }) => failed('schema', problem, restoreFix(tx.dialect)))]
    return [
      ...before,
      ...(await structure(tx, environment, problems)),
      ...(await sealedDestinations(tx, environment, home)),
      ...(await headElsewhere(tx, environment, home, { elsewhere, now })),
      await clock(tx, now),
      ...(await checkWork(tx, environment, now)),
      ...(await checkPublicAddress(tx, environment, publicAddress)),
    ]
  })
}

/** Command that applies missing migrations. On PostgreSQL the copy is made with its own tools. */
const MIGRATE: Readonly<Record<SqlDialect, string>> = {
  sqlite: 'payctl migrate --backup <new folder>',
  postgres: 'payctl migrate --no-backup',
}

function migrationsCheck(has: readonly string[], dialect: SqlDialect): CheckResult {
  const check = 'migrations'
  const known = migrations.map(({ name }) => name)
  if (hasOtherLayout(has, known))
    return failed(check, 'a layout from before the first release', 'export PAYCTL_HOME=<new folder>')
  const newer = has.find((name) => !known.includes(name))
  if (newer !== undefined)
    return failed(check, `made by a newer payctl (${newer})`, 'npm install --global payctl@latest')
  const missing = known.filter((name) => !has.includes(name))
  if (missing.length > 0) return warning(check, `${missing.join(', ')} to be applied`, MIGRATE[dialect])
  return passed(check, `all ${has.length} applied`)
}

/** Checks that tables, indexes, constraints and references match the migrations. */
async function structure(
  tx: Tx,
  environment: Environment,
  problems: readonly SchemaProblem[],
): Promise<CheckResult[]> {
  const check = 'schema'
  if (problems.length > 0)
    return problems.map(({ problem }) => failed(check, problem, restoreFix(tx.dialect)))
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

/** Maximum number of broken references that are listed for each declared reference. */
const MAX_BROKEN = 10

/** Checks that the database is encrypted with keys of this key file; no result if the file cannot be read. */
async function keys(tx: Tx, environment: Environment, home: string): Promise<CheckResult[]> {
  const check = 'keys'
  const keyring = keyringOf(home)
  if (!keyring) return []
  const missing = missingKey(keyring, await knownKeys(tx))
  if (!missing) return [passed(check, 'those of the key file')]
  const path = keyFilePath(home)
  const found = explainMissingKey(path, `the ${environment} database`, missing.id)
  return [failed(check, found, 'payctl vault import <file>')]
}

/** Checks destinations against their seals; no result if the key file cannot be read. */
async function sealedDestinations(tx: Tx, environment: Environment, home: string): Promise<CheckResult[]> {
  if (!keyringOf(home)) return []
  const seals = new SealedControl(openVault(home, systemRandom).hash, environment)
  const problemOf: SealProblem = (table, id, row) => seals.problem(tx, { table, id, row })
  try {
    return await checkDestinations(tx, environment, problemOf)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return [failed('destinations', error.message, `payctl verify --env ${environment}`)]
  }
}

/**
 * Checks the head that is published outside the home; no result if none is published, or if the key file
 * cannot be read.
 */
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

/** Keys of the home; undefined if the file cannot be read, which another check reports. */
function keyringOf(home: string): Keyring | undefined {
  try {
    return readKeyFile(keyFilePath(home))
  } catch (error) {
    if (error instanceof StoreError) return undefined
    throw error
  }
}

/** Checks that the machine's clock is not behind the newest event, whose id contains its real time. */
async function clock({ db }: Tx, now: number): Promise<CheckResult> {
  const check = 'clock'
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
