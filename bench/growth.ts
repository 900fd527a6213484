import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { systemRandom } from '../src/platform/random.js'
import { cardPayments } from './payments.js'
import { cpuOf, type Sample } from './sample.js'
import { type Server, sample, startOurs, warm } from './servers.js'
import { openShop, payctlIn, type Setting, type Shop } from './setting.js'
import type { Row } from './table.js'

const ROUNDS = 9

/** CPU of a card payment where many transactions are stored, against an empty database; both are served at the same time. */
export async function measureGrowth({ home: parent, tree, bin, isShort, rows }: Setting): Promise<Row[]> {
  const folder = mkdtempSync(join(parent, 'growth-'))
  const servers: Server[] = []
  const homeOf = async (name: string, stored: number) => {
    const home = join(folder, name)
    mkdirSync(home)
    if (stored > 0) await fillHome(tree, home, stored)
    return home
  }
  const serving = async (home: string) => {
    const shop = openShop(payctlIn(home, bin))
    const server = await startOurs({ PAYCTL_HOME: home }, bin)
    servers.push(server)
    await warm(server, cardPayments(shop))
    return () => paid(server, shop, isShort)
  }
  try {
    const samples: Record<'empty' | 'full', Sample[]> = { empty: [], full: [] }
    // Both are there before one is warmed: what has idled for minutes has forgotten compiled code.
    const [empty, full] = [await homeOf('empty', 0), await homeOf('full', rows)]
    const [payEmpty, payFull] = [await serving(empty), await serving(full)]
    for (let round = 0; round < (isShort ? 1 : ROUNDS); round++) {
      samples.empty.push(await payEmpty())
      samples.full.push(await payFull())
    }
    const cpu = cpuOf(samples.full, samples.empty)
    const what = `CPU of a card payment with ${rows} transactions stored`
    const shown = { ours: `${cpu.ours} µs`, reference: 'an empty database', theirs: `${cpu.theirs} µs` }
    return [{ what, ...shown, ratio: cpu.ratio, cpu, goal: { most: 1.1 } }]
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

function paid(server: Server, shop: Shop, isShort: boolean): Promise<Sample> {
  return sample(server, { ...cardPayments(shop), milliseconds: isShort ? 1_000 : 2_000 })
}

/** Transactions, cards and merchants, in the schema of the tree that is measured. */
async function fillHome(tree: string, home: string, rows: number): Promise<void> {
  const { openStore }: typeof import('../src/engine/store/open-store.js') = await from(
    tree,
    'src/engine/store/open-store.ts',
  )
  const { fill }: typeof import('./million/fill.js') = await from(tree, 'bench/million/fill.ts')
  const store = await openStore({ home, environment: 'test', random: systemRandom })
  try {
    await fill(store, rows, () => undefined)
  } finally {
    await store.close()
  }
}

function from(tree: string, file: string) {
  return import(pathToFileURL(join(tree, file)).href)
}
