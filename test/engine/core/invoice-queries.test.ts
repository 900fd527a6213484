import { expect } from 'chai'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeCustomer, makeProcessing } from '../../support/examples.js'

onDatabases('sql', (open) => {
  describe('queries of invoices', () => {
    let core: TestCore
    const names = new Map<string, string>()

    before(async () => {
      core = await openCore(open)
      const shop = await makeProcessing(core)
      const ada = await makeCustomer(core, shop)
      const make = async (name: string, due: string, items: readonly (readonly [number, number])[]) => {
        const charges = items.map(([amount, qty]) => ({ entry_type: 'charge', amount, qty, type: name }))
        const body = {
          customer_id: ada,
          processing_id: shop,
          due_date: due,
          description: name,
          items: charges,
        }
        names.set(idOf(await core.ok('POST', '/invoices', body)), name)
      }
      await make('a', '2001-01-31', [[5, 1]])
      await make('b', '2099-02-28', [
        [7, 3],
        [5, 2],
      ])
      await make('c', '2099-12-31', [])
    })

    const values = async (query: string) => valuesOf(await core.ok('GET', '/invoices', undefined, { query }))

    const cases: readonly [query: string, found: string][] = [
      ['items[0][amount]=5', 'ab'],
      ['items[0][amount]=7', 'b'],
      ['items[1][amount]=7', 'b'],
      ['items[amount]=>5', 'b'],
      ['items[amount]=>5&items[qty]=2', 'b'],
      ['items[][total]=10|21', 'b'],
      ['items[0][amount]=!5', 'b'],
      ['items[0][invoice][due_date]=<2050-01-01', 'a'],
      ['items[type]=?*A', 'a'],
      ['status=overdue', 'a'],
      ['status=pending|overdue', 'abc'],
      ['status=!overdue', 'bc'],
      ['customer[name]=Ada Park&items[0][qty]=<3', 'ab'],
      ['year(due_date)=2099', 'bc'],
      ['month(due_date)=2|12&day(due_date)=>28', 'c'],
    ]
    for (const [query, expected] of cases) {
      it(`${query} finds ${expected}`, async () => {
        const found = (await values(query)).map((invoice) => names.get(idOf(invoice)))
        expect(found.sort().join('')).to.equal(expected)
      })
    }

    it('work with groups', async () => {
      const query = 'group_by=status&fields=status,count(*),sum(amount_due),max(due_date)&order_by=-count(*)'
      expect(await values(query)).to.deep.equal([
        { status: 'pending', 'count(*)': 2, 'sum(amount_due)': 31, 'max(due_date)': '2099-12-31' },
        { status: 'overdue', 'count(*)': 1, 'sum(amount_due)': 5, 'max(due_date)': '2001-01-31' },
      ])
      const items = await core.ok('GET', '/line_items', undefined, {
        query: 'group_by=invoice[status]&fields=invoice[status],avg(qty),sum(total)&avg(qty)=2.5',
      })
      expect(valuesOf(items)).to.deep.equal([
        { 'invoice[status]': 'pending', 'avg(qty)': 2.5, 'sum(total)': 31 },
      ])
    })
  })
})
