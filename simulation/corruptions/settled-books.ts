import { openApp } from '../../src/app.js'
import { storeSettlement } from '../../src/domain/settlements/store-settlement.js'
import { owner } from '../../src/engine/core/request/principal.js'
import type { GatewaySettlement, GatewaySettlementLine } from '../../src/gateways/contract.js'
import { remoteSimulator } from '../../src/gateways/simulator/remote-simulator.js'
import type { Clock } from '../../src/platform/clock.js'
import { datetimeOf } from '../../src/schema/datetime.js'
import type { Chance } from '../../test/support/chance.js'
import type { Place } from '../../test/support/databases.js'

/** Number of transactions in a settlement. */
const BATCH_SIZE = 12

interface SettledBooks {
  readonly place: Place
  readonly clock: Clock
  readonly chance: Chance
}

/**
 * Lets the gateway settle the transactions, most with their amount and some with another. Adds chargebacks of unknown
 * transactions. Then resolves the exceptions, and settles the same chargebacks again.
 */
export async function settleBooks({ place, clock, chance }: SettledBooks): Promise<void> {
  const { home, databaseUrl } = place
  const app = openApp({ home, databaseUrl, clock })
  try {
    const { core } = await app.environment('test')
    const taken = await core.read(({ tx }) =>
      tx.db
        .selectFrom('transactions')
        .select(['id', 'type', 'amount', 'conv_fee', 'gateway', 'gateway_id'])
        .where('type', 'in', ['payment', 'refund'])
        .where('status', '=', 'processed')
        .where('gateway', 'is not', null)
        .orderBy('id')
        .execute(),
    )
    const gateway = { ...remoteSimulator(), name: taken[0]?.gateway ?? 'simulator' }
    const store = (id: string, lines: readonly GatewaySettlementLine[]) =>
      storeSettlement(core, gateway, batchOf(id, datetimeOf(clock.now()), lines))
    for (let start = 0; start < taken.length; start += BATCH_SIZE) {
      const lines = taken.slice(start, start + BATCH_SIZE).map((row): GatewaySettlementLine => {
        const amount = (row.amount ?? 0) + (row.conv_fee ?? 0) - (chance.percent(10) ? 1 : 0)
        const kind = row.type === 'refund' ? 'refund' : 'payment'
        const named = { reference: row.id, gatewayId: row.gateway_id ?? undefined }
        const signed = kind === 'refund' ? -amount : amount
        return { id: `bt_${row.id}`, kind, amount: signed, fee: chance.integer(0, 90), ...named }
      })
      const lost = { id: `bt_dp_${start}`, kind: 'chargeback', gatewayId: `dp_${start}` } as const
      await store(`po_${start}`, [...lines, { ...lost, amount: -chance.integer(100, 9_999), fee: 1500 }])
    }
    const open = await core.read(({ tx }) =>
      tx.db.selectFrom('admin_exceptions').selectAll().where('status', '=', 'open').orderBy('id').execute(),
    )
    for (const { id, resolutions } of open) {
      const resolution = resolutions?.includes('loss') && chance.percent(70) ? 'loss' : 'ignore'
      const body = { resolution, reason: 'as the bank says' }
      const path = `/admin/exceptions/${id}/resolve`
      await core.handle({ method: 'POST', path, body, query: [], principal: owner })
    }
    const lost = open.filter(({ gateway_id: id }) => id?.startsWith('dp_'))
    await store(
      'po_again',
      lost.map(({ gateway_id: id, amount }) => ({
        id: `bt_again_${id}`,
        kind: 'chargeback',
        gatewayId: id ?? '',
        amount: -(amount ?? 0),
        fee: null,
      })),
    )
  } finally {
    await app.close()
  }
}

function batchOf(id: string, settledAt: string, lines: readonly GatewaySettlementLine[]): GatewaySettlement {
  const gross = lines.reduce((sum, { amount }) => sum + amount, 0)
  const fees = lines.reduce((sum, { fee }) => sum + (fee ?? 0), 0)
  return { id, currency: 'USD', gross, fees, net: gross - fees, settledAt, lines }
}
