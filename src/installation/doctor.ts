import { StoreError } from '../engine/store/database/errors.js'
import type { Environment, Store } from '../engine/store/database/store.js'
import { environments, openAsIs } from '../engine/store/open-store.js'
import { damageIn } from '../engine/store/sqlite/copy.js'
import { inside } from './checks/database.js'
import { disk, keyFile, permissions } from './checks/files.js'
import { type Finding, failed, quoted, well } from './checks/finding.js'

export interface Examined {
  readonly home: string
  readonly databaseUrl?: string | undefined
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Looks at all that an operator answers for, and changes nothing; a check that cannot be made has failed. */
export async function examine(examined: Examined): Promise<readonly Finding[]> {
  const { home } = examined
  const found = [...permissions(home), ...keyFile(home), disk(home)]
  for (const environment of environments) found.push(...(await database(examined, environment)))
  return found
}

async function database(examined: Examined, environment: Environment): Promise<Finding[]> {
  const check = `${environment} database`
  let store: Store | undefined
  try {
    const opened = await openAsIs({ ...examined, environment })
    if (!opened) return [well(check, 'not made yet')]
    store = opened.store
    const damage = store.dialect === 'sqlite' ? await damageIn(opened.place) : undefined
    if (damage !== undefined) return [failed(check, damage, RESTORE)]
    const whole = well(check, `${opened.place} is ${store.dialect === 'sqlite' ? 'whole' : 'reached'}`)
    return [whole, ...(await inside(store, environment, examined.now))]
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return [failed(check, error.message, mendOf(error, examined.home))]
  } finally {
    await store?.close()
  }
}

const RESTORE = 'payctl restore <folder> --yes'

function mendOf({ problem }: StoreError, home: string): string {
  switch (problem) {
    case 'corrupt':
    case 'missing':
      return RESTORE
    case 'no_access':
    case 'read_only':
      return `sudo chown -R "$USER" ${quoted(home)}`
    case 'disk_full':
      return `du -sh ${quoted(home)}`
    case 'unreachable':
    case 'refused':
      return 'payctl whoami'
    default:
      return 'payctl doctor'
  }
}
