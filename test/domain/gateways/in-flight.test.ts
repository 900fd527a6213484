import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import process from 'node:process'
import { expect } from 'chai'
import { asOperator, connectPlace } from '../../../simulation/gateways/connected-place.js'
import { operator } from '../../../src/engine/core/request/principal.js'
import { payctl } from '../../cli/commands/payctl.js'
import { openFolder } from '../../support/batch-file.js'
import { onEachDatabase, type Place } from '../../support/databases.js'
import { card } from '../../support/examples.js'

/** How many payments are in flight at once; each has 30 seconds, so that a busy machine needs fewer. */
const COUNT = Number(process.env['PAYCTL_TEST_IN_FLIGHT'] ?? 250)

/** How many a batch keeps in flight: more than the rows of one request. */
const IN_BATCH = 150

describe('payments in flight', () => {
  onEachDatabase((open) => {
    let place: Place
    let gateway: Awaited<ReturnType<typeof crowdedGateway>>
    let processingId: string
    const connect = async (count: number) => {
      gateway = await crowdedGateway(count)
      place = await open.migrated()
      const configuration = {
        ...{ kind: 'peer', base_url: gateway.address, merchant: 'acct_1' },
        credentials: { secret_key: 'test_1' },
      }
      processingId = (await connectPlace(place, { configuration })).processingId
    }
    afterEach(() => gateway.close())

    it('do not wait for each other: a gateway that answers nobody before all have come gets all', async () => {
      await connect(COUNT)
      await asOperator(place, async (_, app) => {
        const core = await app.core('test')
        const pay = async (number: number) => {
          const body = {
            ...{ type: 'payment', amount: 10 + number / 100, processing_id: processingId },
            payment_method: card(),
          }
          return await core.handle({ method: 'POST', path: '/transactions', body, principal: operator })
        }
        const answers = await Promise.all(Array.from({ length: COUNT }, (__, number) => pay(number)))
        const processed = answers.filter(({ body }) => body.status === 'processed')
        expect(processed.length).to.equal(COUNT)
      })
    })

    it('are as many as a batch is told to keep, which does not wait for one before it sends the next', async () => {
      await connect(IN_BATCH)
      const folder = openFolder()
      open.atEnd(async () => folder.remove())
      const header =
        'amount,processing_id,payment_method.type,payment_method.card.card_number,payment_method.card.expiry'
      const rows = Array.from(
        { length: IN_BATCH },
        (_, number) => `${number + 1},${processingId},card,4242424242424242,12/39`,
      )
      const file = folder.write('payments.csv', [header, ...rows].join('\n'))
      const words = ['batch', 'run', file, '--as', 'payment', '--concurrency', `${IN_BATCH}`, '--json']
      const { exitCode, stdout, stderr } = await payctl(place, words, {
        variables: { PAYCTL_GATEWAY_LOOPBACK: '1' },
      })
      expect(exitCode, stderr).to.equal(0)
      expect(JSON.parse(stdout)).to.include({ done: IN_BATCH, declined: 0, failed: 0 })
    })
  })
})

/** A peer that answers when so many requests are before it. */
async function crowdedGateway(count: number) {
  const waiting: (() => ServerResponse)[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { amount, attrs } = JSON.parse(Buffer.concat(parts).toString('utf8'))
      const id = `txn_${String(waiting.length).padStart(22, '0')}`
      const answer = { id, object: 'transaction', type: 'payment', status: 'processed', amount, attrs }
      waiting.push(() => response.end(JSON.stringify(answer)))
      if (waiting.length === count) for (const go of waiting) go()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  const port = typeof bound === 'object' ? bound?.port : undefined
  return {
    address: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
