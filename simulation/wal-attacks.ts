/**
 * `npm run long -- wal-attacks [--rounds 30] [--seed N]`
 *
 * Attacks the write-ahead log of a home. Takes payments, and copies the home as a crash would leave it. Deletes,
 * truncates or changes a byte of the copy's log, then starts with the copy. Exits 1 if an acknowledged payment is
 * missing without a report.
 */
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { openApp } from '../src/app.js'
import { owner } from '../src/engine/core/request/principal.js'
import { cornerShop } from '../src/resources/corner-shop.js'
import { attackWals } from '../test/crash/wal-attacks.js'
import { seededChance } from '../test/support/chance.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
  },
})
const home = mkdtempSync(join(tmpdir(), 'payctl-wal-'))
const app = openApp({ home })
try {
  const { core } = await app.environment('test')
  const post = async (path: string, body: object): Promise<string> => {
    const answer = await core.handle({
      method: 'POST',
      path,
      query: [],
      body: JSON.parse(JSON.stringify(body)),
      principal: owner,
    })
    return String(answer.body.id)
  }
  const processingId = await post('/processing_accounts', cornerShop)
  const payment = {
    type: 'payment',
    amount: 12.5,
    processing_id: processingId,
    payment_method: {
      type: 'card',
      card: { card_number: '4242424242424242', expiry: '12/39', card_code: '123' },
      billing_address: { postal_code: '11238' },
    },
  }
  const payments = async (count: number) =>
    await Promise.all(Array.from({ length: count }, () => post('/transactions', payment)))
  const chance = seededChance(Number(values.seed))
  const { outcomes, problems } = await attackWals(home, Number(values.rounds), chance, payments)
  for (const attack of ['deleted', 'truncated', 'changed']) {
    const ofKind = outcomes.filter((outcome) => outcome.attack === attack)
    const lost = ofKind.filter(({ missing }) => missing > 0)
    const said = lost.filter((outcome) => outcome.said !== undefined)
    report(
      `${attack}: ${ofKind.length} times, ${lost.length} with acknowledged payments missing, ${said.length} of them said`,
    )
  }
  for (const problem of problems) report(`WRONG: ${problem}`)
  if (problems.length > 0) report(`seed ${values.seed}`)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  await app.close()
  rmSync(home, { recursive: true, force: true })
}

function report(line: string): void {
  process.stdout.write(`${line}\n`)
}
