import { expect } from 'chai'
import { onDatabases } from '../../support/databases.js'
import { LiveShop } from './live-shop.js'

const CHANGES: readonly (readonly [
  what: string,
  table: string,
  to: Record<string, string | number | null>,
])[] = [
  ['the unexplained amount of a deposit', 'transactions', { unexplained: 7 }],
  ['the time at which a payout failed', 'admin_settlements', { failed_at: '2030-01-15 00:00:00' }],
  ['the status of a payout', 'admin_settlements', { status: 'failed' }],
  ['how a line is booked', 'admin_settlement_lines', { booked: 'nothing' }],
  ['whether a line is booked to outside', 'admin_settlement_lines', { booked: 'outside' }],
  ['the payout of a line', 'admin_settlement_lines', { payout_id: null }],
  ['the direction of an exception', 'admin_exceptions', { direction: 'paid' }],
]

describe('a settlement row that was changed outside of payctl', () => {
  onDatabases((open) => {
    for (const [what, table, to] of CHANGES)
      it(`is found by verify: ${what}`, async () => {
        const shop = await LiveShop.open(open, () => 0)
        await shop.pay(await shop.account('gateway'), 20)
        await shop.settle((lines, payout) => [...lines, shop.payouts.stray(payout, 'adjustment', -700)])
        const [raised] = await shop.list('/admin/exceptions')
        const decision = { resolution: 'cost', reason: 'so' }
        await shop.ok('POST', `/admin/exceptions/${raised?.id}/resolve`, decision)
        expect(await shop.findings()).to.deep.equal([])
        const { core } = await shop.core.app.environment('live')
        await core.write(({ tx }) => tx.any.updateTable(table).set(to).execute())
        expect(JSON.stringify(await shop.findings())).to.not.equal('[]')
      })
  })
})
