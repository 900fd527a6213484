import { expect } from 'chai'
import { sql } from 'kysely'
import { owner } from '../../../src/engine/core/request/principal.js'
import { using } from '../../../src/engine/store/database/raw-use.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { countOf, idOf, objectOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases, onPostgres } from '../../support/databases.js'
import { bankAccount, card, makeCustomer, makeProcessing } from '../../support/examples.js'
import { openProxy } from '../../support/proxy.js'
import { LiveShop } from '../settlements/live-shop.js'

const NUMBERS = ['4242424242424242', '5555555555554444', '4000056655665556', '4012888888881881']
const LOST =
  'The database was lost while it stored this: ask again under the same idempotency key, or look whether it was done'

describe('payments that arrive at the same time', () => {
  onDatabases('locks', (open) => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
    })

    async function shop(settings: JsonObject): Promise<string> {
      const id = await makeProcessing(core)
      const { processing } = await core.ok('GET', `/processing_accounts/${id}`)
      await core.ok('PUT', `/processing_settings/${idOf(objectOf(objectOf(processing).settings))}`, settings)
      return id
    }
    const payment = (processing_id: string, more: JsonObject = {}): JsonObject => ({
      type: 'payment',
      amount: 10,
      processing_id,
      payment_method: card(),
      ...more,
    })
    const attempt = async (body: JsonObject, idempotencyKey?: string): Promise<JsonObject> => {
      const { status, body: answer } = await core.send('POST', '/transactions', body, { idempotencyKey })
      return status === 200 ? answer : { ...objectOf(answer.details), error: answer.error_type ?? null }
    }
    const atOnce = async (bodies: readonly JsonObject[]) =>
      await Promise.all(bodies.map((body) => attempt(body)))
    const oneByOne = async (bodies: readonly JsonObject[]) => {
      const answers = []
      for (const body of bodies) answers.push(await attempt(body))
      return answers
    }
    const scores = (answers: readonly JsonObject[]) =>
      answers.map(({ risk_score }) => Number(risk_score)).sort()

    it('share a commit if they are independent', async () => {
      const processing = await shop({ duplicate_window: 60, risk_check_enabled: true })
      const bodies = NUMBERS.map((number) => payment(processing, { payment_method: card(number) }))
      const ids = (await atOnce(bodies)).map(idOf)
      if (core.place.dialect === 'sqlite') return
      const { rows } = await core.environment.core.read(({ tx }) =>
        using(
          { reads: [] },
          sql<{ count: number }>`select count(distinct xmin::text) as count from transactions
          where id = any(${ids})`,
        ).execute(tx.any),
      )
      expect(rows).to.deep.equal([{ count: 1 }])
    })

    it('are checked in sequence: one of several equal payments is accepted', async () => {
      const processing = await shop({ duplicate_window: 60, risk_check_enabled: true })
      const bodies = [...NUMBERS, ...NUMBERS, ...NUMBERS].map((number) =>
        payment(processing, { payment_method: card(number) }),
      )
      const answers = await atOnce(bodies)
      const taken = answers.filter(({ status }) => status === 'processed')
      expect(taken).to.have.length(NUMBERS.length)
      expect(new Set(taken.map(({ payment_method_id: id }) => id)).size).to.equal(NUMBERS.length)
      const others = answers.filter(({ status }) => status !== 'processed')
      expect(others.map(({ status_code: code }) => code)).to.deep.equal(others.map(() => 'duplicate_attempt'))
    })

    it("count towards each other's risk by payment method", async () => {
      const bodies = async (number: string) => {
        const processing = await shop({ risk_check_enabled: true })
        return Array.from({ length: 12 }, () => payment(processing, { payment_method: card(number) }))
      }
      const expected = scores(await oneByOne(await bodies('2223003122003222')))
      expect(new Set(expected).size).to.equal(3)
      expect(scores(await atOnce(await bodies('5200828282828210')))).to.deep.equal(expected)
    })

    it("count towards each other's risk by customer, for any payment method", async () => {
      const bodies = async (first: number) => {
        const processing = await shop({ risk_check_enabled: true })
        const customer_id = await makeCustomer(core, processing)
        return Array.from({ length: 22 }, (_, n) =>
          payment(processing, { customer_id, payment_method: bankAccount(`10000000${first + n}`) }),
        )
      }
      const expected = scores(await oneByOne(await bodies(10)))
      expect(new Set(expected).size).to.equal(2)
      expect(scores(await atOnce(await bodies(50)))).to.deep.equal(expected)
    })

    it('run once per idempotency key; another request under that key is refused', async () => {
      const processing = await shop({})
      const body = payment(processing)
      const other = payment(processing, { amount: 11 })
      const same = await Promise.all([
        ...['a', 'a', 'b', 'a', 'b'].map((key) => attempt(body, `once ${key}`)),
        ...[0, 1, 2].map(() => attempt(payment(processing, { amount: 12 }))),
      ])
      const ids = same.map(idOf)
      expect([ids[0], ids[0], ids[2]]).to.deep.equal([ids[1], ids[3], ids[4]])
      expect(new Set(ids).size).to.equal(5)
      const answers = await Promise.all([body, other].map((each) => attempt(each, 'once c')))
      expect(answers.map(({ error }) => error)).to.have.members([undefined, 'IdempotencyMismatch'])
    })

    it('are checked in live, too', async () => {
      const live = await LiveShop.open(open)
      const processing = await live.account('gateway', { duplicate_window: null, risk_check_enabled: null })
      const pay = async (number: string) => {
        const body = payment(processing, { payment_method: card(number) })
        const { status, body: answer } = await live.send('POST', '/transactions', body)
        return status === 200 ? answer : objectOf(answer.details)
      }
      const answers = await Promise.all([...NUMBERS, ...NUMBERS].map(pay))
      const codes = answers.map(({ status, status_code: code }) => `${status} ${code}`).sort()
      expect(codes).to.deep.equal([
        ...NUMBERS.map(() => 'declined duplicate_attempt'),
        ...NUMBERS.map(() => 'processed approved'),
      ])
      expect(live.server.books.intents).to.have.length(NUMBERS.length)
    })
  })

  onPostgres((open) => {
    for (const count of [1, 6])
      for (const moment of ['sent', 'answered'] as const)
        it(`are neither lost nor doubled if the connection of ${count} is lost while a commit is ${moment}`, async () => {
          const place = await open.migrated()
          const url = new URL(place.databaseUrl ?? '')
          const proxy = await openProxy(Number(url.port))
          open.atEnd(() => proxy.cut())
          url.port = String(proxy.port)
          const core = await openCore(open, { ...place, databaseUrl: url.href, report: () => undefined })
          const processing_id = await makeProcessing(core)
          const service = core.environment.core
          const pay = async (idempotencyKey: string) => {
            const body = { type: 'payment', amount: 1, processing_id, payment_method: card() }
            const request = { method: 'POST', path: '/transactions', body, idempotencyKey } as const
            return await service.handle({ ...request, principal: owner })
          }
          const keys = Array.from({ length: count }, (_, n) => `key ${n}`)
          proxy.cutAt('; commit', moment)
          const first = await Promise.all(keys.map(pay))
          expect(first.map(({ status, body }) => [status, body.error_description])).to.deep.equal(
            keys.map(() => [503, LOST]),
          )
          expect(await countOf(core, '/transactions')).to.equal(moment === 'sent' ? 0 : count)
          const again = await Promise.all(keys.map(pay))
          const replayed = moment === 'sent' ? undefined : 'true'
          expect(again.map(({ status, headers }) => [status, headers['Idempotent-Replay']])).to.deep.equal(
            keys.map(() => [200, replayed]),
          )
          expect(new Set(again.map(({ body }) => body.id)).size).to.equal(count)
          expect(await countOf(core, '/transactions')).to.equal(count)
          expect((await core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
        })
  })
})
