import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import process from 'node:process'
import { expect } from 'chai'
import { asOperator, connectPlace } from '../../../simulation/gateways/connected-place.js'
import type { App } from '../../../src/app.js'
import { owner } from '../../../src/engine/core/request/principal.js'
import { payctl } from '../../cli/commands/payctl.js'
import { openFolder } from '../../support/batch-file.js'
import { idOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { card } from '../../support/examples.js'

/** Number of payments in flight at once. Each has 30 seconds, so set a smaller number on a busy machine. */
const COUNT = Number(process.env['PAYCTL_TEST_IN_FLIGHT'] ?? 100)

/** Number of payments that a gateway refuses at once. */
const REFUSED = 8

/** Number of invoices for which one job takes payments. */
const IN_JOB = 16

/** Number of rows that a batch keeps in flight; more than the rows of one request. */
const IN_BATCH = 150

describe('payments in flight', () => {
  onDatabases('locks', (open) => {
    let place: Place
    let gateway: Awaited<ReturnType<typeof crowdedGateway>>
    let processingId: string
    const connect = async (count: number | Crowd, status = 200) => {
      gateway = await crowdedGateway(typeof count === 'number' ? () => count : count, status)
      place = await open.migrated()
      const configuration = {
        kind: 'peer',
        base_url: gateway.address,
        merchant: 'acct_1',
        credentials: { secret_key: 'test_1' },
      }
      processingId = (await connectPlace(place, { configuration })).processingId
    }
    const payAtOnce = async (app: App, count: number) => {
      const { core } = await app.environment('test')
      const pay = async (number: number) => {
        const body = {
          type: 'payment',
          amount: 10 + number / 100,
          processing_id: processingId,
          payment_method: card(),
        }
        return await core.handle({ method: 'POST', path: '/transactions', body, principal: owner })
      }
      return await Promise.all(Array.from({ length: count }, (_, number) => pay(number)))
    }
    afterEach(() => gateway.close())

    it('do not wait for each other: a gateway receives all payments before it answers the first', async () => {
      await connect(COUNT)
      await asOperator(place, async (_, app) => {
        const answers = await payAtOnce(app, COUNT)
        const processed = answers.filter(({ body }) => body.status === 'processed')
        expect(processed.length).to.equal(COUNT)
      })
    })

    it('trigger one event for operators if the gateway refuses its credentials', async () => {
      await connect(REFUSED, 401)
      await asOperator(place, async (_, app) => {
        await payAtOnce(app, REFUSED)
        const { core } = await app.environment('test')
        const events = await core.read(({ tx }) =>
          tx.db.selectFrom('events').select('trigger').where('value', '=', 'misconfigured').execute(),
        )
        expect(events).to.deep.equal([{ trigger: 'gateway' }])
      })
    })

    it('of a job for due invoices start with a single payment; each answer allows one more at a time', async () => {
      await connect((answered) => Math.min(2 * answered + 1, IN_JOB))
      await asOperator(place, async (ask) => {
        for (let number = 0; number < IN_JOB; number++) {
          const name = `Reader ${number}`
          const customer = await ask('POST', '/customers', { name, email: 'reader@example.com' })
          const method = { ...card(), account_id: idOf(customer), default_payment_method: true }
          await ask('POST', '/payment_methods', method)
          await ask('POST', '/billing_schedules', {
            customer_id: idOf(customer),
            processing_id: processingId,
            recurring_frequency: 'monthly',
            charges: [{ amount: 20 }],
          })
        }
        expect(await ask('POST', '/admin/billing/run', {})).to.include({ payment_count: IN_JOB })
      })
    })

    it('of a batch are as many at a time as its concurrency allows', async () => {
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

/**
 * Number of requests that must have arrived before the next one is answered; its argument is the number of
 * answers so far.
 */
type Crowd = (answered: number) => number

/** A peer that answers a request only after enough requests have arrived. */
async function crowdedGateway(crowd: Crowd, status: number) {
  const come: (() => ServerResponse)[] = []
  let answered = 0
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { amount, attrs } = JSON.parse(Buffer.concat(parts).toString('utf8'))
      const id = `txn_${String(come.length).padStart(22, '0')}`
      const answer = { id, object: 'transaction', type: 'payment', status: 'processed', amount, attrs }
      come.push(() => response.writeHead(status).end(JSON.stringify(answer)))
      while (answered < come.length && come.length >= crowd(answered)) come[answered++]?.()
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
