import { expect } from 'chai'
import type { ApiResponse } from '../../../src/engine/core/request/request.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { audit } from '../../support/audit/audit.js'
import { readKept } from '../../support/audit/kept.js'
import { type Chance, seededChance } from '../../support/chance.js'
import { countOf, idOf, openCore, type TestCore } from '../../support/core.js'
import { onEachDatabase } from '../../support/databases.js'
import { card, makeCustomer, makeProcessing } from '../../support/examples.js'
import { eventsOf } from './books.js'

const DECLINED = '4111111111119904'

describe('payments at once', () => {
  onEachDatabase((open) => {
    let core: TestCore
    let processing_id: string
    before(async () => {
      core = await openCore(open)
      processing_id = await makeProcessing(core)
    })
    const payment = (more: JsonObject = {}): JsonObject => ({
      type: 'payment',
      amount: 10,
      processing_id,
      payment_method: card(),
      ...more,
    })
    const send = (body: JsonObject, idempotencyKey?: string) =>
      core.send('POST', '/transactions', body, idempotencyKey === undefined ? {} : { idempotencyKey })
    const expectSound = async () => {
      const environment = await core.app.core('test')
      expect(audit(await environment.write(({ tx }) => readKept(tx)))).to.deep.equal([])
      expect((await core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    }

    it('are each taken, declined or refused by themselves', async () => {
      const kinds = [payment(), payment({ payment_method: card(DECLINED) }), payment({ amount: -1 })]
      const unknown = payment({ processing_id: 'acct_nobody' })
      const bodies = Array.from({ length: 40 }, (_, n) => [...kinds, unknown][n % 4] ?? unknown)
      const answers = await Promise.all(bodies.map((body, n) => send(body, `mixed ${n}`)))
      const statuses = answers.map(({ status, body }) =>
        status === 200 ? 'processed' : String(body.error_type),
      )
      const expected = ['processed', 'TransactionDeclined', 'InvalidAttributes', 'InvalidAttributes']
      expect(statuses).to.deep.equal(bodies.map((_, n) => expected[n % 4]))
      await expectSound()
    })

    it('under one key are taken once, and answered alike', async () => {
      const keys = Array.from({ length: 30 }, (_, n) => `key ${n % 5}`)
      const before = await countOf(core, '/transactions')
      const answers = await Promise.all(keys.map((key) => send(payment(), key)))
      const ids = keys.map(
        (key) => new Set(answers.filter((_, n) => keys[n] === key).map(({ body }) => body.id)),
      )
      expect(ids.map(({ size }) => size)).to.deep.equal(keys.map(() => 1))
      expect(await countOf(core, '/transactions')).to.equal(before + 5)
      await expectSound()
    })

    it('of new and stored customers and methods leave receipts and events as one by one', async () => {
      const customer_id = await makeCustomer(core, processing_id)
      const bodies = [
        payment({ payment_method: card(), customer_id }),
        payment({ customer: { name: 'New', email: 'new@example.com' } }),
        payment(),
      ]
      const alone: JsonObject[] = []
      for (const body of bodies) alone.push(await shown(core, await send(body)))
      const many = await Promise.all(Array.from({ length: 18 }, (_, n) => send(bodies[n % 3] ?? payment())))
      for (const [n, answer] of many.entries()) expect(await shown(core, answer)).to.deep.equal(alone[n % 3])
      await expectSound()
    })

    it('keep refunds, captures and voids of one payment from exceeding it', async () => {
      const paid = idOf((await send(payment({ amount: 10 }))).body)
      const held = idOf((await send(payment({ status: 'authorized' }))).body)
      const ledger = [{ assoc_transaction_id: paid }]
      const change = (status: string) => core.send('PUT', `/transactions/${held}`, { status })
      const answers = await Promise.all(
        Array.from({ length: 12 }, async (_, n) => ({
          refund: await send({ type: 'refund', amount: 3, ledger }),
          change: await change(n % 2 ? 'voided' : 'processed'),
          beside: await send(payment()),
        })),
      )
      expect(answers.filter(({ refund }) => refund.status === 200)).to.have.length(3)
      expect(answers.every(({ beside }) => beside.status === 200)).to.equal(true)
      await expectSound()
    })

    it('leave the same books as one after the other, whatever is done', async () => {
      const seed = 20_261_122
      const done: string[][] = []
      for (const atOnce of [1, 24]) {
        const shop = await makeProcessing(core, `Shop ${atOnce}`)
        const chance = seededChance(seed)
        const first = await inTurns(core, chance, atOnce, 48, () => anyPayment(chance, shop))
        const paid = first.filter(({ status }) => status === 200).map(({ body }) => body)
        await inTurns(core, chance, atOnce, paid.length, (n) => anyRefund(chance, paid[n]))
        done.push(await booksOf(core, shop))
      }
      expect(done[1]).to.deep.equal(done[0])
      await expectSound()
    })
  })
})

/** What there is of a payment, without what is different for each. */
async function shown(core: TestCore, { body }: ApiResponse): Promise<JsonObject> {
  const id = idOf(body)
  const fields = 'status,amount,fee,receipts[type],receipts[email],customer[name],payment_method[type]'
  const stored = await core.ok('GET', `/transactions/${id}`, undefined, { query: `fields=${fields}` })
  return { ...stored, events: await eventsOf(core, id) }
}

async function inTurns(
  core: TestCore,
  chance: Chance,
  atOnce: number,
  total: number,
  next: (n: number) => JsonObject,
): Promise<ApiResponse[]> {
  const bodies = Array.from({ length: total }, (_, n) => next(n))
  const answers: ApiResponse[] = []
  for (let start = 0; start < total; start += atOnce)
    answers.push(
      ...(await Promise.all(
        bodies.slice(start, start + atOnce).map((body) =>
          core.send('POST', '/transactions', body, {
            idempotencyKey: `${chance.integer(0, 1e9)} ${atOnce}`,
          }),
        ),
      )),
    )
  return answers
}

function anyPayment(chance: Chance, processing_id: string): JsonObject {
  const number = chance.percent(20) ? DECLINED : undefined
  const amount = chance.integer(1, 100)
  const status = chance.percent(20) ? 'authorized' : 'processed'
  return { type: 'payment', amount, status, processing_id, payment_method: card(number) }
}

function anyRefund(chance: Chance, payment: JsonObject | undefined): JsonObject {
  const amount = chance.integer(1, 60)
  return { type: 'refund', amount, ledger: [{ assoc_transaction_id: String(payment?.id) }] }
}

/** How often what was booked, in the order of amounts. */
async function booksOf(core: TestCore, processingId: string): Promise<string[]> {
  const environment = await core.app.core('test')
  const { transactions, postings } = await environment.write(({ tx }) => readKept(tx))
  const own = transactions.filter(({ processing_id }) => processing_id === processingId)
  const ids = new Set<unknown>(own.map(({ id }) => id))
  return [
    ...own.map(({ type, status, amount, fee, refunded }) => [type, status, amount, fee, refunded].join()),
    ...postings
      .filter(({ transaction_id }) => ids.has(transaction_id))
      .map(({ from_account, to_account, amount }) => [from_account, to_account, amount].join()),
  ].toSorted()
}
