/**
 * `npm run long -- bench-verify [--payments 1000000]`
 *
 * Runs `payctl verify` on the books of many payments. Exits 1 if it finds a problem, or takes more than 90 seconds
 * per million payments.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openApp } from '../../src/app.js'
import { owner } from '../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../src/schema/json.js'
import type { Method } from '../../src/schema/resource.js'
import { takePayments } from '../take-payments.js'

const { values } = parseArgs({ options: { payments: { type: 'string', default: '1000000' } } })
const payments = Number(values.payments)
/** Maximum seconds per payment. */
const GOAL = 90 / 1_000_000
const root = fileURLToPath(new URL('../..', import.meta.url))
const parent = join(root, '.payctl', 'bench')
mkdirSync(parent, { recursive: true })
const home = mkdtempSync(join(parent, 'verify-'))
try {
  await fillHome()
  const began = performance.now()
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'bin/run.js'), 'verify', '--json'],
    {
      env: { ...process.env, PAYCTL_HOME: home },
      encoding: 'utf8',
    },
  )
  const seconds = (performance.now() - began) / 1_000
  const { examined }: { examined: number } = JSON.parse(stdout)
  if (status !== 0) process.stdout.write(`verify ended with ${status}: ${stderr}${stdout.slice(0, 2_000)}\n`)
  const goal = payments * GOAL
  process.stdout.write(
    `verify of ${payments} payments, ${examined} facts: ${seconds.toFixed(0)} s, goal ≤ ${goal.toFixed(0)} s\n`,
  )
  process.exitCode = status === 0 && seconds <= goal ? 0 : 1
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function fillHome(): Promise<void> {
  const app = openApp({ home })
  try {
    const { core } = await app.environment('test')
    const ask = async (method: Method, path: string, body: JsonObject): Promise<JsonObject> => {
      const { status, body: answer } = await core.handle({ method, path, body, principal: owner })
      if (status !== 200)
        throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer).slice(0, 500)}`)
      return answer
    }
    const shop: JsonObject = JSON.parse(readFileSync(join(root, 'docs/corner-shop.json'), 'utf8'))
    const { id } = await ask('POST', '/processing_accounts', shop)
    await takePayments(ask, String(id), payments)
  } finally {
    await app.close()
  }
}
