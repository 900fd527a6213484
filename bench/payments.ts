import { type LoadResult, load } from './client.js'
import { median, ratio } from './median.js'
import type { Server } from './servers.js'
import type { Setting } from './setting.js'
import type { Row } from './table.js'

const ROUNDS = 5
const CONNECTIONS = 32

interface Rates {
  readonly ours: number[]
  readonly group: number[]
  readonly single: number[]
}

/** Durable card payments a second, everything on, against three bare inserts with and without group commit. */
export async function measurePayments(setting: Setting): Promise<Row[]> {
  const rates: Rates = { ours: [], group: [], single: [] }
  const pay = (server: Server, milliseconds: number): Promise<LoadResult> =>
    load({
      port: server.port,
      connections: CONNECTIONS,
      milliseconds,
      method: 'POST',
      paths: ['/transactions'],
      body: JSON.stringify(cardPayment(setting.processingId)),
      headers: setting.headers,
    })
  for (const server of [setting.group, setting.single, setting.ours]) await pay(server, 1_000)
  for (let round = 0; round < ROUNDS; round++) {
    rates.group.push((await pay(setting.group, 2_000)).perSecond)
    rates.ours.push((await pay(setting.ours, 2_000)).perSecond)
    rates.single.push((await pay(setting.single, 2_000)).perSecond)
  }
  const ours = perSecond(rates.ours)
  return [
    {
      what: `durable card payments, ${CONNECTIONS} connections`,
      reference: 'three inserts, group commit',
      ours,
      theirs: perSecond(rates.group),
      ratio: ratio(rates.ours, rates.group),
      goal: { least: 0.3 },
    },
    {
      what: 'the same',
      reference: 'three inserts, a commit each',
      ours,
      theirs: perSecond(rates.single),
      ratio: ratio(rates.ours, rates.single),
    },
  ]
}

/** The payment that every measurement takes. */
export function cardPayment(processingId: string): object {
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

function perSecond(rates: readonly number[]): string {
  return `${Math.round(median(rates))}/s`
}
