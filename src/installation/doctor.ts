import { existsSync } from 'node:fs'
import type { Environment, Store } from '../engine/store/database/store.js'
import { StoreError } from '../engine/store/database/store-error.js'
import { goneBooks } from '../engine/store/gone-books.js'
import { environments, openAsIs } from '../engine/store/open-store.js'
import { damageIn } from '../engine/store/sqlite/copy.js'
import { shellWord } from '../platform/shell-word.js'
import { type CheckResult, failed, passed, restoreFix } from './checks/check-result.js'
import { checkDatabase, NOT_MADE } from './checks/database-checks.js'
import { disk, keyFile, permissions } from './checks/file-checks.js'
import type { HeadPlaces } from './published-heads/publish-head.js'

export interface ExaminedHome {
  readonly home: string
  readonly databaseUrl?: string | undefined
  /** Time of the checks, in milliseconds since 1970. */
  readonly now: number
  /** Address that gateways and payers are given; undefined if it is not known. */
  readonly publicAddress?: string | undefined
  /** Places where `serve` publishes heads. */
  readonly heads?: HeadPlaces
}

/**
 * Checks everything that an operator is responsible for, without any change. A check that cannot be run
 * counts as failed.
 */
export async function examine(examined: ExaminedHome): Promise<readonly CheckResult[]> {
  const { home } = examined
  const databases: ExaminedDatabase[] = []
  for (const environment of environments) databases.push(await database(examined, environment))
  const isUnused = databases.every((each) => each.isUnused ?? !existsSync(home))
  return [
    ...permissions(home),
    ...keyFile(home, isUnused),
    disk(home),
    ...databases.flatMap(({ found }) => found),
  ]
}

interface ExaminedDatabase {
  readonly found: readonly CheckResult[]
  /** Whether no table was ever made in the database; absent if that is unknown, such as on an unreachable server. */
  readonly isUnused?: boolean
}

async function database(examined: ExaminedHome, environment: Environment): Promise<ExaminedDatabase> {
  const check = `${environment} database`
  let store: Store | undefined
  try {
    const opened = await openAsIs({ ...examined, environment })
    if (!opened) {
      const gone = goneBooks({ ...examined, environment })
      return gone === undefined
        ? { found: [passed(check, 'does not exist yet')], isUnused: true }
        : { found: [failed(check, gone, restoreFix('sqlite'))] }
    }
    store = opened.store
    const damage = store.dialect === 'sqlite' ? await damageIn(opened.place) : undefined
    if (damage !== undefined) return { found: [failed(check, damage, restoreFix('sqlite'))] }
    const whole = passed(check, `${opened.place} is ${store.dialect === 'sqlite' ? 'intact' : 'reachable'}`)
    const found = await checkDatabase(store, environment, examined)
    const isUnused = found.some(({ found: text }) => text === NOT_MADE)
    return {
      found: [whole, ...found.map((one) => ({ ...one, check: `${environment} ${one.check}` }))],
      isUnused,
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return { found: [failed(check, error.message, fixOf(error, examined))] }
  } finally {
    await store?.close()
  }
}

function fixOf({ problem }: StoreError, { home, databaseUrl }: ExaminedHome): string {
  switch (problem) {
    case 'corrupt':
    case 'missing':
      return restoreFix(databaseUrl === undefined ? 'sqlite' : 'postgres')
    case 'no_access':
    case 'read_only':
      return `sudo chown -R "$USER" ${shellWord(home)}`
    case 'disk_full':
      return `du -sh ${shellWord(home)}`
    case 'unreachable':
    case 'refused':
      return 'psql "$PAYCTL_DATABASE_URL" --command "select 1"'
    default:
      return 'payctl doctor'
  }
}
