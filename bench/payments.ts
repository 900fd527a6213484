import { compared, type Sample } from './sample.js'
import { type Load, type Server, sample, warm } from './servers.js'
import type { Setting, Shop } from './setting.js'
import type { Row } from './table.js'

const ROUNDS = 5
const CONNECTIONS = 32

/**
 * Compares durable card payments per second: payctl with all its features, and three plain inserts per
 * payment. The reference runs with and without group commit.
 */
export async function measurePayments(setting: Setting): Promise<Row[]> {
  const ours: Sample[] = []
  const group: Sample[] = []
  const single: Sample[] = []
  const unnamed: Sample[] = []
  const payments = cardPayments(setting)
  const toDefault = cardPayments({ headers: setting.headers })
  const pay = (server: Server, load = payments) =>
    sample(server, { ...load, milliseconds: setting.isShort ? 1_000 : 2_000 })
  for (const server of [setting.group, setting.single, setting.ours]) await warm(server, payments)
  for (let round = 0; round < (setting.isShort ? 1 : ROUNDS); round++) {
    group.push(await pay(setting.group))
    ours.push(await pay(setting.ours))
    unnamed.push(await pay(setting.ours, toDefault))
    single.push(await pay(setting.single))
  }
  const what = `durable card payments, ${CONNECTIONS} connections`
  return [
    compared({ what, reference: 'three inserts, group commit', goal: { least: 0.3 } }, ours, group),
    compared({ what: 'the same', reference: 'three inserts, a commit each' }, ours, single),
    compared(
      { what: 'payments that name no processing account', reference: 'three inserts, group commit' },
      unnamed,
      group,
    ),
  ]
}

/** Load of card payments. Each connection sends the next one when the previous one is answered. */
export function cardPayments({ processingId, headers }: Pick<Shop, 'headers'> & Partial<Shop>): Load {
  const body = JSON.stringify(cardPayment(processingId))
  return { connections: CONNECTIONS, method: 'POST', paths: ['/transactions'], body, headers }
}

/** Body of the payment that every measurement sends; without an account it goes to the default one. */
export function cardPayment(processingId?: string): object {
  return {
    type: 'payment',
    amount: 29.99,
    processing_id: processingId,
    payment_method: {
      type: 'card',
      account_holder: 'Ada Byron',
      card: { card_number: '4242424242424242', expiry: '12/35', card_code: '123' },
      billing_address: { postal_code: '11111' },
    },
  }
}
