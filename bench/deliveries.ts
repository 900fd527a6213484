import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { Agent } from 'undici'
import { openApp } from '../src/app.js'
import { operator } from '../src/engine/core/request/principal.js'
import { processingAccount } from '../test/support/examples.js'
import { median, ratio } from './median.js'
import type { Row } from './table.js'

const ROUNDS = 5
const EVENTS = 5_000
const LOT = 1_000
const CONCURRENCY = 16

/** A process of its own, which takes what comes. */
const RECEIVER = `
  const server = require('node:http').createServer((request, response) => {
    request.resume().on('end', () => response.end())
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

/** Telling webhooks what happened, lease, signature and log included, against a loop that only sends. */
export async function measureDeliveries(parent: string): Promise<Row[]> {
  const receiver = spawn(process.execPath, ['-e', RECEIVER], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(createInterface(receiver.stdout), 'line')
  const url = `http://127.0.0.1:${port}`
  const home = mkdtempSync(join(parent, 'deliveries-'))
  const app = openApp({ home, delivery: { concurrency: { total: CONCURRENCY, each: CONCURRENCY } } })
  const agent = new Agent()
  try {
    const core = await app.core('test')
    const ask = async (path: string, body: Parameters<typeof core.handle>[0]['body']) =>
      (await core.handle({ method: 'POST', path, principal: operator, ...(body && { body }) })).body
    const { id: processing_id = null } = await ask('/processing_accounts', processingAccount())
    await ask('/webhooks', { trigger: 'payment_link:status', url: `${url}/` })
    const link = { amount: 1, description: 'A book', processing_id }
    const ours: number[] = []
    const theirs: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      for (let made = 0; made < EVENTS; made += LOT)
        await ask(
          '/payment_links',
          Array.from({ length: LOT }, () => link),
        )
      const bare = await perSecond(() => send(agent, url))
      const told = await perSecond(() => app.deliver('test', new AbortController().signal))
      // The first round warms up.
      if (round === 0) continue
      theirs.push(bare)
      ours.push(told)
    }
    return [
      {
        what: `webhooks told, ${CONCURRENCY} at once`,
        reference: 'a bare loop of undici',
        ours: `${Math.round(median(ours))}/s`,
        theirs: `${Math.round(median(theirs))}/s`,
        ratio: ratio(ours, theirs),
        goal: { least: 0.5 },
      },
    ]
  } finally {
    await agent.destroy()
    await app.close()
    receiver.kill()
    rmSync(home, { recursive: true, force: true })
  }
}

async function perSecond(work: () => Promise<number>): Promise<number> {
  const start = performance.now()
  const count = await work()
  return (count * 1_000) / (performance.now() - start)
}

/** The same number of bodies of the same length. */
async function send(agent: Agent, url: string): Promise<number> {
  const body = JSON.stringify({ told: 'x'.repeat(300) })
  const headers = { 'content-type': 'application/json' }
  let left = EVENTS
  const worker = async () => {
    while (left-- > 0) {
      const answer = await agent.request({ origin: url, path: '/', method: 'POST', headers, body })
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  return EVENTS
}
