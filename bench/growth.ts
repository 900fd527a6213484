import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { systemRandom } from '../src/platform/random.js'
import { cardPayments } from './payments.js'
import { cpuOf, type Sample } from './sample.js'
import { sample, startOurs, warm } from './servers.js'
import { openShop, payctlIn, type Setting } from './setting.js'
import type { Row } from './table.js'

const ROUNDS = 3

/** Compares the CPU time of a card payment in two databases: one with many transactions, and an empty one. */
export async function measureGrowth({ home: parent, tree, bin, isShort, rows }: Setting): Promise<Row[]> {
  const folder = mkdtempSync(join(parent, 'growth-'))
  const homeOf = async (name: string, stored: number) => {
    const home = join(folder, name)
    mkdirSync(home)
    if (stored > 0) await fillHome(tree, home, stored)
    return { home, shop: openShop(payctlIn(home, bin)) }
  }
  // Only one server runs at a time, because background work of the other would count as CPU time here.
  const paid = async ({ home, shop }: Awaited<ReturnType<typeof homeOf>>): Promise<Sample> => {
    const server = await startOurs({ PAYCTL_HOME: home }, bin)
    try {
      const payments = cardPayments(shop)
      await warm(server, payments)
      return await sample(server, { ...payments, milliseconds: isShort ? 1_000 : 4_000 })
    } finally {
      await server.stop()
    }
  }
  try {
    const samples: Record<'empty' | 'full', Sample[]> = { empty: [], full: [] }
    const empty = await homeOf('empty', 0)
    const full = await homeOf('full', rows)
    for (let round = 0; round < (isShort ? 1 : ROUNDS); round++) {
      samples.empty.push(await paid(empty))
      samples.full.push(await paid(full))
    }
    const cpu = cpuOf(samples.full, samples.empty)
    const what = `CPU of a card payment with ${rows} transactions stored`
    const shown = { ours: `${cpu.ours} µs`, reference: 'an empty database', theirs: `${cpu.theirs} µs` }
    return [{ what, ...shown, ratio: cpu.ratio, cpu, goal: { most: 1.1 } }]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Fills a home with transactions, cards and merchants, using the schema of the measured tree. */
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
