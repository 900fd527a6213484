import { expect } from 'chai'
import { LineIndex } from '../../../../src/domain/verify/people/line-index.js'
import { resources } from '../../../../src/resources/resource-table.js'
import { type ServiceTable, serviceTables } from '../../../../src/resources/service-tables.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { makeCustomer, makeProcessing, pay } from '../../../support/examples.js'
import { asOutsider, booksSealed } from '../../../support/outsider.js'

describe('verify of the activity', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: string
    beforeEach(async () => {
      core = await openCore(open)
      shop = await makeProcessing(core)
    })

    const findings = async () => {
      const { findings: all } = await core.ok('GET', '/admin/verify')
      return Array.isArray(all) ? all.map((each) => JSON.stringify(each)) : []
    }
    const ofActivity = async () => (await findings()).filter((each) => each.includes('"check":"activity"'))
    const ofBooks = async () => (await findings()).filter((each) => each.includes('"check":"sealed books"'))

    it('reports a payment whose activity line was removed, and the method that the line named', async () => {
      const paid = await pay(core, shop, 10)
      await booksSealed(core.place)
      await asOutsider(core.place, `delete from admin_activity where object_id = '${idOf(paid)}'`)
      const found = await ofActivity()
      expect(found).to.have.length(2)
      expect(found.join()).to.include(idOf(paid)).and.include(String(paid.payment_method_id))
      expect(found.join()).to.include('No line of activity says who created it')
      expect((await ofBooks()).join()).to.include('This activity was sealed and is gone')
    })

    it('reports a change whose line was removed', async () => {
      const customer = await makeCustomer(core, shop)
      // The time of the change must differ from that of the creation.
      await core.ok('POST', '/admin/clock', { by: '1h' })
      await core.ok('PUT', `/customers/${customer}`, { name: 'Bob' })
      expect(await ofActivity()).to.deep.equal([])
      await booksSealed(core.place)
      await asOutsider(
        core.place,
        `delete from admin_activity where object_id = '${customer}' and action = 'update customer'`,
      )
      const found = await ofActivity()
      expect(found).to.have.length(1)
      expect(found[0]).to.include(customer).and.include('No line of activity says who changed it at')
    })

    it('needs no line for the creation of automatic receipts, even after a change or deletion', async () => {
      const transaction_id = idOf(await pay(core, shop, 10))
      const query = `transaction_id=${transaction_id}`
      const [receipt] = valuesOf(await core.ok('GET', '/receipts', undefined, { query }))
      const path = `/receipts/${receipt?.id}`
      await core.ok('PUT', path, { email: 'ada@example.com' })
      expect(await ofActivity()).to.deep.equal([])
      await core.ok('DELETE', path)
      expect(await ofActivity()).to.deep.equal([])
      await booksSealed(core.place)
      await asOutsider(
        core.place,
        `delete from admin_activity where object_id = '${receipt?.id}' and outcome = 'deleted'`,
      )
      await asOutsider(
        core.place,
        `update admin_activity set object_id = 'x' where object_id = '${receipt?.id}'`,
      )
      const found = await ofActivity()
      expect(found).to.have.length(1)
      expect(found[0])
        .to.include(String(receipt?.id))
        .and.include('No line of activity says who changed it at')
    })

    it('reports a payment route whose line was removed', async () => {
      await core.ok('POST', '/admin/gateways', {
        name: 'other',
        kind: 'peer',
        base_url: 'https://127.0.0.1:1',
        credentials: { secret_key: 'test_secret_key_other' },
      })
      await core.ok('PUT', '/admin/gateway_routes', { card: 'other' })
      expect(await ofActivity()).to.deep.equal([])
      await booksSealed(core.place)
      await asOutsider(core.place, "delete from admin_activity where action = 'set_gateway_routes'")
      expect((await ofActivity()).join())
        .to.include('"id":"*:card"')
        .and.include('who created it')
    })

    it('reports a line whose actor differs from the sealed books', async () => {
      const paid = await pay(core, shop, 10)
      await booksSealed(core.place)
      await asOutsider(
        core.place,
        `update admin_activity set by_id = 'somebody else' where object_id = '${idOf(paid)}'`,
      )
      expect(await ofActivity()).to.deep.equal([])
      expect((await ofBooks()).join()).to.include('This activity is not what was sealed last')
    })

    it('reports a line whose list of other objects is damaged', async () => {
      const paid = await pay(core, shop, 10)
      await booksSealed(core.place)
      await asOutsider(core.place, `update admin_activity set others = '{' where object_id = '${idOf(paid)}'`)
      expect((await ofActivity()).join()).to.include(String(paid.payment_method_id))
    })
  })

  it('covers every other table, except those that declare why not', () => {
    const tables = Object.entries<ServiceTable>(serviceTables)
    const reasons = tables.flatMap(([, { activity }]) => ('unlogged' in activity ? [activity.unlogged] : []))
    expect(reasons.every((reason) => reason.length > 20)).to.equal(true)
    const logged = tables.flatMap(([table, { activity }]) => ('keeps' in activity ? [table] : []))
    expect(logged).to.deep.equal(['gateway_routes', 'maintenance', 'operator_entries', 'operator_settings'])
  })

  it('covers every resource, except those that declare why not', () => {
    const without = Object.values(resources).filter((resource) => 'unlogged' in resource)
    expect(without.map(({ name }) => name)).to.deep.equal([
      'transaction_ledger',
      'webhook_log',
      'gateway_notification',
      'mail_message',
      'activity',
    ])
  })
})

describe('the index of lines of activity', () => {
  it('contains 100,000 objects with their times, and no others', () => {
    const index = new LineIndex(0, 1)
    const at = (n: number) => `2030-01-01 00:00:${n % 60}`
    for (let n = 0; n < 100_000; n++) index.add(`txn_${n}`, at(n))
    const known = Array.from({ length: 100_000 }, (_, n) => index.has(`txn_${n}`, at(n)))
    expect(known.every((each) => each)).to.equal(true)
    const unknown = Array.from({ length: 100_000 }, (_, n) => index.has(`txn_${n}`, at(n + 1)))
    expect(unknown.some((each) => each)).to.equal(false)
  })

  it('assigns each object to exactly one of its parts', () => {
    const parts = [0, 1, 2].map((part) => new LineIndex(part, 3))
    const holders = Array.from(
      { length: 3_000 },
      (_, n) => parts.filter((part) => part.holds(`txn_${n}`)).length,
    )
    expect(new Set(holders)).to.deep.equal(new Set([1]))
    for (const part of parts)
      expect(Array.from({ length: 3_000 }, (_, n) => part.holds(`txn_${n}`))).to.include(true)
  })
})
