import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openApp } from '../../src/app.js'
import { owner } from '../../src/engine/core/request/principal.js'
import { openStore } from '../../src/engine/store/open-store.js'
import { keyFilePath, readKeyFile } from '../../src/engine/store/vault/key-file.js'
import { openVault } from '../../src/engine/store/vault/vault.js'
import { backUp } from '../../src/installation/backup.js'
import { rotateKeys } from '../../src/installation/rotate-keys.js'
import { systemClock } from '../../src/platform/clock.js'
import { systemRandom } from '../../src/platform/random.js'
import { start } from '../cli/commands/payctl.js'
import { seededChance } from '../support/chance.js'
import type { Place } from '../support/databases.js'
import { card } from '../support/examples.js'
import { restoreBackup } from '../support/restored.js'
import { columnsUnder, openEverything } from '../support/sealed-values.js'
import { startServer } from '../support/server-process.js'
import { Client } from './client.js'
import { type CrashOptions, openService } from './driver.js'
import { Known } from './known.js'

export interface RotationsReport {
  readonly payments: number
  /** Number of values decrypted at the end. */
  readonly opened: number
  /** Number of rotations that were killed before their end. */
  readonly brokenOff: number
  readonly problems: readonly string[]
}

const CLIENTS = 4
/** Enough cards for a rotation to need several units of work. */
const CARDS = 500

/**
 * Kills `payctl vault rotate` at random moments while `serve` takes payments, and then completes a rotation.
 * Checks that every number can be decrypted, and none with an older key. On SQLite, also checks that an earlier
 * backup can be restored.
 */
export async function killRotations({
  place,
  kills,
  seed,
  tell = () => undefined,
}: CrashOptions): Promise<RotationsReport> {
  const chance = seededChance(seed)
  const problems: string[] = []
  const service = await openService(place)
  await storeCards(place, service.processingId, CARDS)
  const known = new Known()
  const clients = Array.from(
    { length: CLIENTS },
    (_, index) => new Client(`c${index}`, seededChance(chance.integer(0, 2 ** 32 - 1)), service, known),
  )
  const server = await startServer(place)
  const working = Promise.allSettled(clients.map((client) => client.work(server, () => undefined)))
  const first = readKeyFile(keyFilePath(place.home)).current
  const folder = join(place.home, 'elsewhere', 'before')
  let brokenOff = 0
  try {
    if (place.dialect === 'sqlite') {
      mkdirSync(join(place.home, 'elsewhere'))
      await backUp({ home: place.home, folder, madeBy: 'test', now: systemClock.now() })
    }
    for (let kill = 1; kill <= kills; kill++) {
      if (await killed(place, chance.integer(0, 150))) brokenOff++
      tell(`kill ${kill}: ${known.payments.length} payments acknowledged, ${brokenOff} rotations broken off`)
    }
    await rotateKeys({ ...place, random: systemRandom, clock: systemClock })
  } finally {
    server.kill()
  }
  for (const outcome of await working)
    if (outcome.status === 'rejected') problems.push(`A client: ${outcome.reason}`)
  const complaints = await server.ended
  if (complaints !== '') problems.push(`The server complained: ${complaints}`)
  const opened = await look(place, first, problems)
  if (place.dialect === 'sqlite') {
    await restoreBackup(place.home, folder)
    await rotateKeys({ ...place, random: systemRandom, clock: systemClock })
    await look(place, first, problems)
  }
  return { payments: known.payments.length, opened, brokenOff, problems }
}

/** Starts a rotation and kills it after this number of milliseconds; returns whether it was interrupted. */
async function killed(place: Place, milliseconds: number): Promise<boolean> {
  const before = readFileSync(keyFilePath(place.home), 'utf8')
  // A resumed rotation changes the key file only at its end, so the time includes the start of the process.
  const starting = isRotating(place) ? 250 + 7 * milliseconds : 0
  const child = start(place, [
    'vault',
    'rotate',
    '--json',
    '--confirm',
    readKeyFile(keyFilePath(place.home)).current,
  ])
  let isOver = false
  const closed = once(child, 'close').then(() => {
    isOver = true
  })
  while (!isOver && readFileSync(keyFilePath(place.home), 'utf8') === before && !isRotating(place))
    await Promise.race([closed, setTimeout(5)])
  await Promise.race([closed, setTimeout(starting + milliseconds)])
  child.kill('SIGKILL')
  await closed
  return isRotating(place)
}

function isRotating({ home }: Place): boolean {
  return readKeyFile(keyFilePath(home)).next !== undefined
}

/** Stores this number of cards. */
async function storeCards(place: Place, accountId: string, count: number): Promise<void> {
  const app = openApp(place)
  try {
    const { core } = await app.environment('test')
    const values = Array.from({ length: count }, () => ({ ...card(), account_id: accountId }))
    const body = { object: 'list', values }
    const { status } = await core.handle({
      method: 'POST',
      path: '/payment_methods',
      body,
      principal: owner,
    })
    if (status !== 200) throw new Error(`The cards were answered ${status}`)
  } finally {
    await app.close()
  }
}

/** Decrypts all sealed values; returns their number. */
async function look(place: Place, first: string, problems: string[]): Promise<number> {
  const store = await openStore({ ...place, environment: 'test', random: systemRandom })
  try {
    const { current, next, seal } = readKeyFile(keyFilePath(place.home))
    if (next !== undefined) problems.push('The rotation has not ended')
    if (!seal.has(first)) problems.push('The first key is gone')
    for (const key of [...seal.keys()].filter((id) => id !== current))
      for (const column of await columnsUnder(store, key))
        problems.push(`${column} is under the older key ${key}`)
    return await openEverything(store, openVault(place.home, systemRandom).forEnvironment('test'))
  } catch (error) {
    problems.push(String(error))
    return 0
  } finally {
    await store.close()
  }
}
