/** `npm run bench`: every measured claim against its reference in the same run. Exits 1 when a goal is missed. */
import { cpus, totalmem } from 'node:os'
import { measureBatch } from './batch.js'
import { measureDeliveries } from './deliveries.js'
import { measurePayments } from './payments.js'
import { measureReads } from './reads.js'
import { openSetting } from './setting.js'
import { measureStart } from './start.js'
import { met, type Row, render } from './table.js'

const setting = await openSetting()
try {
  const rows: Row[] = [
    ...(await measurePayments(setting)),
    ...(await measureReads(setting)),
    ...measureStart(setting),
    ...measureBatch(setting),
    ...(await measureDeliveries(setting.home)),
  ]
  process.stdout.write(`${machine()}\n\n${render(rows)}\n`)
  process.exitCode = rows.every(met) ? 0 : 1
} finally {
  await setting.close()
}

function machine(): string {
  const processors = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const date = new Date().toISOString().slice(0, 10)
  return `${date}: ${processors.length} × ${processors[0]?.model.trim()}, ${memory} GiB, ${process.platform}, Node ${process.version}`
}
