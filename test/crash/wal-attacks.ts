import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { openApp } from '../../src/app.js'
import { StoreError } from '../../src/engine/store/database/store-error.js'
import type { Chance } from '../support/chance.js'

/** Ways to damage the write-ahead log in a copy of a home that was in use. */
const WAL_ATTACKS = {
  deleted: (wal: string) => rmSync(wal),
  truncated: (wal: string, at: number) => truncateSync(wal, at),
  changed: (wal: string, at: number) => {
    const bytes = readFileSync(wal)
    bytes[at] = ~(bytes[at] ?? 0) & 255
    writeFileSync(wal, bytes)
  },
} as const satisfies Record<string, (wal: string, at: number) => void>

type WalAttack = keyof typeof WAL_ATTACKS

const ATTACKS = ['deleted', 'truncated', 'changed'] as const satisfies readonly WalAttack[]

/** Result of an attack. */
interface WalAttacked {
  readonly missing: number
  /** Message of payctl when started on the attacked copy; undefined if it starts. */
  readonly said: string | undefined
}

/** Attacks the log of a home repeatedly in each way while payments are taken; returns the problems. */
export async function attackWals(
  home: string,
  rounds: number,
  chance: Chance,
  payments: (count: number) => Promise<readonly string[]>,
): Promise<{ readonly outcomes: readonly WalOutcome[]; readonly problems: readonly string[] }> {
  const acknowledged: string[] = []
  const outcomes: WalOutcome[] = []
  const problems: string[] = []
  for (let round = 0; round < rounds; round++)
    for (const attack of ATTACKS) {
      acknowledged.push(...(await payments(chance.integer(1, 8))))
      const outcome = await attackWal(
        home,
        join(home, `attacked-${round}-${attack}`),
        attack,
        acknowledged,
        chance,
      )
      outcomes.push({ attack, ...outcome })
      if (outcome.missing > 0 && outcome.said === undefined)
        problems.push(`${attack}: ${outcome.missing} acknowledged payments are missing, and it starts`)
      if (outcome.missing === 0 && outcome.said !== undefined)
        problems.push(`${attack}: nothing is missing, and it says: ${outcome.said}`)
    }
  return { outcomes, problems }
}

export interface WalOutcome extends WalAttacked {
  readonly attack: WalAttack
}

/** Copies a home in its current state on disk, attacks the copy's log, and starts payctl with it. */
async function attackWal(
  home: string,
  copy: string,
  attack: WalAttack,
  acknowledged: readonly string[],
  chance: Chance,
): Promise<WalAttacked> {
  mkdirSync(copy)
  try {
    for (const name of readdirSync(home).filter((each) => /^(test\.|payctl\.key$)/.test(each)))
      if (!name.endsWith('-shm')) copyFileSync(join(home, name), join(copy, name))
    const wal = join(copy, 'test.db-wal')
    if (existsSync(wal)) WAL_ATTACKS[attack](wal, chance.integer(0, Math.max(0, statSync(wal).size - 1)))
    const said = await saidAtStart(copy)
    return { missing: missingIn(join(copy, 'test.db'), acknowledged), said }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

async function saidAtStart(home: string): Promise<string | undefined> {
  const app = openApp({ home })
  try {
    await (await app.environment('test')).expectBooks()
    return undefined
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return error.message
  } finally {
    await app.close()
  }
}

function missingIn(path: string, acknowledged: readonly string[]): number {
  const database = new BetterSqlite(path)
  try {
    const known = new Set(database.prepare<[], string>('select id from transactions').pluck().all())
    return acknowledged.filter((id) => !known.has(id)).length
  } catch {
    return acknowledged.length
  } finally {
    database.close()
  }
}
