import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { Agent } from 'undici'
import { owner } from '../src/engine/core/request/principal.js'
import { processingAccount } from '../test/support/examples.js'
import { compared, type Sample } from './sample.js'
import type { Setting } from './setting.js'
import type { Row } from './table.js'

const ROUNDS = 5
const EVENTS = 5_000
const BATCH_SIZE = 1_000
const CONCURRENCY = 16

/** Program of a separate process that accepts every request. */
const RECEIVER = `
  const server = require('node:http').createServer((request, response) => {
    request.resume().on('end', () => response.end())
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

/** Compares the delivery of webhooks, including lease, signature and log, with a loop that only sends requests. */
export async function measureDeliveries({ tree, home: parent }: Setting): Promise<Row[]> {
  const { openApp }: typeof import('../src/app.js') = await import(
    pathToFileURL(join(tree, 'src/app.ts')).href
  )
  const receiver = spawn(process.execPath, ['-e', RECEIVER], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(createInterface(receiver.stdout), 'line')
  const url = `http://127.0.0.1:${port}`
  const home = mkdtempSync(join(parent, 'deliveries-'))
  const app = openApp({ home, delivery: { concurrency: { total: CONCURRENCY, each: CONCURRENCY } } })
  const agent = new Agent()
  try {
    const { core } = await app.environment('test')
    const ask = async (path: string, body: Parameters<typeof core.handle>[0]['body']) =>
      (await core.handle({ method: 'POST', path, principal: owner, ...(body && { body }) })).body
    const { id: processing_id = null } = await ask('/processing_accounts', processingAccount())
    await ask('/webhooks', { trigger: 'payment_link:status', url: `${url}/` })
    const link = { amount: 1, description: 'A book', processing_id }
    const ours: Sample[] = []
    const theirs: Sample[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      for (let made = 0; made < EVENTS; made += BATCH_SIZE)
        await ask(
          '/payment_links',
          Array.from({ length: BATCH_SIZE }, () => link),
        )
      const bare = await measured(() => send(agent, url))
      const delivered = await measured(() =>
        app.environment('test').then((opened) => opened.deliver(new AbortController().signal)),
      )
      // The first round warms up.
      if (round === 0) continue
      theirs.push(bare)
      ours.push(delivered)
    }
    const what = `webhooks told, ${CONCURRENCY} at once`
    return [compared({ what, reference: 'a bare loop of undici', goal: { least: 0.35 } }, ours, theirs)]
  } finally {
    await agent.destroy()
    await app.close()
    receiver.kill()
    rmSync(home, { recursive: true, force: true })
  }
}

async function measured(work: () => Promise<number>): Promise<Sample> {
  const start = performance.now()
  const used = process.cpuUsage()
  const count = await work()
  const { user, system } = process.cpuUsage(used)
  return { perSecond: (count * 1_000) / (performance.now() - start), cpu: (user + system) / count }
}

/** Sends as many bodies of about the same length without payctl. Returns the number per second. */
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
