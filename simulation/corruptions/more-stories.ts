import type { JsonObject } from '../../src/schema/json.js'
import { card } from '../../test/support/examples.js'
import type { Operation } from '../world/operations.js'

/** Operations that the simulation omits, because they do not depend on time: links, receipts for others, batches. */
export const MORE_STORIES: readonly Operation[] = [
  /** Creates a single-use or reusable payment link. Sometimes it is not paid, or the card is declined. */
  async (world, known) => {
    const { chance } = world
    const amount = chance.integer(100, 20_000) / 100
    const type = chance.percent(60) ? 'one_time' : 'reusable'
    const link: JsonObject = {
      type,
      amount,
      description: 'A book',
      processing_id: chance.pick(known.processing) ?? null,
    }
    const made = await world.send({ method: 'POST', path: '/payment_links', body: link })
    const payment_link_id = String(made?.body.id)
    for (let left = chance.integer(0, 2); left > 0; left--) {
      const payment_method = card(chance.percent(15) ? '4111111111119903' : undefined)
      const body = { type: 'payment', amount, payment_link_id, payment_method }
      await world.send({ method: 'POST', path: '/transactions', body })
    }
    return `link ${payment_link_id}`
  },
  async (world, known) => {
    const payment = known.recent(world.chance, known.payments)
    const body = { transaction_id: payment?.id ?? '', email: 'ada@example.com' }
    const made = await world.send({ method: 'POST', path: '/receipts', body })
    return `receipt: ${made?.status}`
  },
  /** Creates a batch of payments, which may stay unfinished. */
  async (world, known) => {
    const { chance } = world
    const id = `batch-${chance.integer(1, 1_000_000_000)}`
    const rows = Array.from({ length: chance.integer(1, 6) }, (_, n) => ({
      row: n + 2,
      body: {
        amount: chance.percent(10) ? -1 : chance.integer(100, 20_000) / 100,
        processing_id: chance.pick(known.processing) ?? null,
        payment_method: card(),
      },
    }))
    const batch = { id, as: 'payment' }
    await world.send({
      method: 'POST',
      path: '/admin/batches',
      body: { ...batch, content: id, rows: rows.length },
    })
    await world.send({ method: 'POST', path: '/admin/batches/rows', body: { ...batch, rows } })
    await world.settle()
    await world.send({ method: 'POST', path: '/admin/batches/rows', body: { ...batch, rows, last: true } })
    const finished = await world.send({ method: 'PUT', path: '/admin/batches', body: { id } })
    return `batch: ${finished?.status}`
  },
]
