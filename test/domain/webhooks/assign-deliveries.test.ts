import { expect } from 'chai'
import { assignDeliveries } from '../../../src/domain/webhooks/assign-deliveries.js'
import type { EventRow, WebhookRow } from '../../../src/engine/store/database/tables.js'
import { resources } from '../../../src/resources/resource-table.js'
import { tableColumnsOf } from '../../../src/schema/columns.js'

const DIGITS = 22
const numbered = (prefix: string, n: number) => prefix + String(n).padStart(DIGITS, '0')

function webhook(n: number, url: string, processing_id: string | null = null): WebhookRow {
  const empty: WebhookRow = JSON.parse(
    JSON.stringify(Object.fromEntries(tableColumnsOf(resources.webhook).map(({ name }) => [name, null]))),
  )
  const id = numbered('wh_', n)
  return { ...empty, id, url, processing_id, trigger: 'payment', status: 'enabled' }
}

function event(n: number, processing_id: string): EventRow {
  return {
    id: numbered('evt_', 100 + n),
    trigger: 'payment',
    object: 'transaction',
    object_id: `txn_${n}`,
    value: 'processed',
    processing_id,
    principal_id: 'operator',
    created_at: '2030-01-15 17:00:00',
    work: null,
  }
}

const SHOP = webhook(1, 'https://shop.example/hooks', 'shop')
const BANK = webhook(2, 'https://bank.example/hooks', 'bank')
const LEASE = { lease: 'of this process', until: 1_000 }

/** Assigns events of processing accounts to receivers with the given capacity; returns the counts. */
function handedOut(accounts: readonly string[], room: { readonly shop: number; readonly bank: number }) {
  const capacity = {
    claimable: (receiver: string) => (receiver === 'https://shop.example' ? room.shop : room.bank),
    leaseEnd: () => LEASE.until,
  }
  const events = accounts.map((account, n) => event(n, account))
  const { claims, unclaimed, events: taken } = assignDeliveries(events, [SHOP, BANK], LEASE, capacity)
  return { events: taken.length, claims: claims.length, unclaimed: unclaimed.length }
}

describe('assigning events to webhooks', () => {
  it('claims all events that there is capacity for', () => {
    expect(handedOut(['shop', 'bank', 'shop'], { shop: 2, bank: 1 })).to.deep.equal({
      events: 3,
      claims: 3,
      unclaimed: 0,
    })
  })

  it('leaves events after the last claimed event for the next time', () => {
    expect(handedOut(['shop', 'shop', 'shop'], { shop: 2, bank: 0 })).to.deep.equal({
      events: 2,
      claims: 2,
      unclaimed: 0,
    })
  })

  it('does not let a receiver without capacity delay others', () => {
    expect(handedOut(['shop', 'bank', 'shop', 'bank', 'shop'], { shop: 0, bank: 2 })).to.deep.equal({
      events: 4,
      claims: 2,
      unclaimed: 2,
    })
    expect(handedOut(['shop', 'shop', 'shop'], { shop: 0, bank: 2 })).to.deep.equal({
      events: 3,
      claims: 0,
      unclaimed: 3,
    })
  })

  it('skips events that no webhook subscribes to', () => {
    expect(handedOut(['shop', 'other', 'other'], { shop: 1, bank: 1 })).to.deep.equal({
      events: 3,
      claims: 1,
      unclaimed: 0,
    })
  })

  it('claims no event without capacity', () => {
    const { claims, unclaimed, events } = assignDeliveries([event(1, 'shop')], [SHOP], LEASE)
    expect([claims.length, unclaimed.length, events.length]).to.deep.equal([0, 1, 1])
  })

  it('sets the lease on the deliveries that it claims', () => {
    const capacity = { claimable: () => 1, leaseEnd: () => LEASE.until }
    const { claims } = assignDeliveries([event(1, 'shop')], [SHOP], LEASE, capacity)
    expect(claims[0]?.delivery).to.include({ lease: LEASE.lease, due_at: LEASE.until, waiting: SHOP.id })
    expect(claims[0]).to.include({ receiver: 'https://shop.example', until: LEASE.until })
  })
})
