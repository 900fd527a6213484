import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import process from 'node:process'
import { expect } from 'chai'
import { asOperator, connectPlace } from '../../../simulation/gateways/connected-place.js'
import { operator } from '../../../src/engine/core/request/principal.js'
import { onEachDatabase } from '../../support/databases.js'
import { card } from '../../support/examples.js'

/** How many payments are in flight at once; each has 30 seconds, so that a busy machine needs fewer. */
const COUNT = Number(process.env['PAYCTL_TEST_IN_FLIGHT'] ?? 250)

describe('payments in flight', () => {
  onEachDatabase((open) => {
    it('do not wait for each other: a gateway that answers nobody before all have come gets all', async () => {
      const place = await open.migrated()
      const gateway = await crowdedGateway(COUNT)
      try {
        const configuration = {
          ...{ kind: 'peer', base_url: gateway.address, merchant: 'acct_1' },
          credentials: { secret_key: 'test_1' },
        }
        const { processingId } = await connectPlace(place, { configuration })
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
      } finally {
        await gateway.close()
      }
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
