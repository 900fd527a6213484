/**
 * `npm run long -- bench-profile [--path /transactions/ID] [--seconds 10]`
 *
 * Profiles `payctl serve` while it takes payments, or answers GET on a path. `ID` in the path is replaced by the id of
 * a payment. Writes the profile, for a browser's developer tools, and a flame graph.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { load } from '../client.js'
import { cardPayments } from '../payments.js'
import { startOurs } from '../servers.js'
import { openShop, payctlIn, payFor, root } from '../setting.js'
import { type CpuProfile, flameGraph } from './flame-graph.js'

const { values } = parseArgs({
  options: { path: { type: 'string' }, seconds: { type: 'string', default: '10' } },
})

const parent = join(root, '.payctl', 'bench')
mkdirSync(parent, { recursive: true })
const home = mkdtempSync(join(parent, 'profile-'))
try {
  const payctl = payctlIn(home)
  const shop = openShop(payctl)
  const transactionId = payFor(payctl, shop)
  const flags = ['--cpu-prof', '--cpu-prof-dir', home]
  const server = await startOurs({ PAYCTL_HOME: home }, join(root, 'bin/run.js'), flags)
  const payments = cardPayments(shop)
  const path = values.path?.replace('ID', transactionId)
  try {
    await load({
      ...payments,
      ...(path !== undefined && { method: 'GET', paths: [path], body: undefined }),
      port: server.port,
      milliseconds: Number(values.seconds) * 1_000,
    })
  } finally {
    await server.stop()
  }
  // Each thread writes a separate profile. The largest is that of the main thread.
  const [profile = ''] = readdirSync(home)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name) => readFileSync(join(home, name), 'utf8'))
    .toSorted((a, b) => b.length - a.length)
  const parsed: CpuProfile = JSON.parse(profile)
  writeFileSync(join(parent, 'serve.cpuprofile'), profile)
  writeFileSync(join(parent, 'serve.svg'), flameGraph(parsed))
  process.stdout.write(`${join(parent, 'serve.cpuprofile')}\n${join(parent, 'serve.svg')}\n`)
} finally {
  rmSync(home, { recursive: true, force: true })
}
