/**
 * `npm run bench -- [--only payments,reads] [--compare REF] [--short] [--json] [--tables] [--rows 100000]`
 *
 * Measures payctl against a reference for each claim, in the same run. Exits 1 if a goal is missed; with `--compare`,
 * if a ratio is a fifth worse than at another commit.
 */
import { cpus, totalmem } from 'node:os'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { measureBatch } from './batch.js'
import { compareWith } from './compare.js'
import { measureDeliveries } from './deliveries.js'
import { measureGrowth } from './growth.js'
import { measurePayments } from './payments.js'
import { measurePeers } from './peers.js'
import { measurePostgres } from './postgres.js'
import { measureReads } from './reads.js'
import { openSetting, type Setting } from './setting.js'
import { measureStart } from './start.js'
import { measureStored } from './stored.js'
import { met, type Row, render } from './table.js'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    compare: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
    /** Whether each claim is measured in one short round only. */
    short: { type: 'boolean', default: false },
    /** Whether stored bytes are listed by table. */
    tables: { type: 'boolean', default: false },
    /** Number of transactions in the database that is compared with an empty one. */
    rows: { type: 'string', default: '100000' },
    /** Folder of the source tree to measure; by default this one. */
    tree: { type: 'string' },
  },
})

const MEASURES: Readonly<Record<string, (setting: Setting) => Row[] | Promise<Row[]>>> = {
  payments: measurePayments,
  reads: measureReads,
  start: measureStart,
  batch: measureBatch,
  webhooks: measureDeliveries,
  postgres: measurePostgres,
  stored: measureStored,
  growth: measureGrowth,
  peers: measurePeers,
}

const names = values.only?.split(',') ?? Object.keys(MEASURES)
const unknown = names.find((name) => !Object.hasOwn(MEASURES, name))
if (unknown !== undefined)
  throw new Error(`Nothing is called ${unknown}; there are: ${Object.keys(MEASURES).join(', ')}`)

if (values.compare === undefined) {
  const rows = await measureAll()
  process.stdout.write(values.json ? JSON.stringify(rows) : `${machine()}\n\n${render(rows)}\n`)
  process.exitCode = rows.every(met) ? 0 : 1
} else {
  const rounds = values.short ? 1 : Number(values.rounds)
  const { table, isWorse } = compareWith(values.compare, { names, rounds, isShort: values.short })
  process.stdout.write(`${machine()}\n\n${table}\n`)
  process.exitCode = isWorse ? 1 : 0
}

async function measureAll(): Promise<Row[]> {
  const { tree, short: isShort, tables: byTable } = values
  const setting = await openSetting({ tree, isShort, byTable, rows: Number(values.rows) })
  const rows: Row[] = []
  try {
    for (const name of names) rows.push(...((await MEASURES[name]?.(setting)) ?? []))
  } finally {
    await setting.close()
  }
  return rows
}

function machine(): string {
  const processors = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const date = new Date().toISOString().slice(0, 10)
  return `${date}: ${processors.length} × ${processors[0]?.model.trim()}, ${memory} GiB, ${process.platform}, Node ${process.version}`
}
