import { expect } from 'chai'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onEachDatabase } from '../../support/databases.js'
import { makeCustomer, makeProcessing, pay } from '../../support/examples.js'

describe('paging', () => {
  onEachDatabase((open) => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
      const processing = await makeProcessing(core)
      const customers = [await makeCustomer(core, processing, 'B'), await makeCustomer(core, processing, 'A')]
      for (const [n, amount] of [5, 3, 3, 9, 1, 3, 9].entries()) {
        await pay(core, processing, amount, {
          customer_id: n % 3 === 0 ? null : (customers[n % 2] ?? null),
          order_number: n % 2 === 0 ? null : `o${n % 4}`,
        })
      }
    })

    const get = (query: string) => core.send('GET', '/transactions', undefined, { query })
    const ids = async (query: string) => valuesOf((await get(query)).body).map(idOf)

    const orders = [
      '',
      'order_by=id',
      'order_by=-amount',
      'order_by=amount,-order_number',
      'order_by=order_number',
      'order_by=-order_number',
      'order_by=customer[name]',
      'order_by=-customer[name],amount',
      'order_by=year(created_at),-amount',
    ]
    for (const order of orders)
      it(`by what comes after finds every row once, ordered by ${order || 'default'}`, async () => {
        const whole = await ids(order)
        expect(whole).to.have.length(7)
        const walked: string[] = []
        for (let link: string | undefined = `limit=2&${order}`; link !== undefined; ) {
          const { body, headers } = await get(decodeURIComponent(link))
          walked.push(...valuesOf(body).map(idOf))
          link = /\?(.*)>/.exec(headers.Link ?? '')?.[1]
        }
        expect(walked).to.deep.equal(whole)
      })

    it('goes on behind a row that was deleted meanwhile', async () => {
      const [first = '', second] = await ids('limit=2&order_by=amount')
      await core.ok('PUT', `/transactions/${first}`, { status: 'voided' })
      await core.ok('DELETE', `/transactions/${first}`)
      expect((await ids(`limit=1&order_by=amount&after=${first}`))[0]).to.equal(second)
    })

    it('refuses to go on behind what is not there, is no id, or is a group', async () => {
      const refused = async (query: string) => (await get(query)).body.details
      expect(await refused('after=txn_none')).to.deep.equal({ after: 'Not found' })
      expect(await refused('after=txn_none&offset=1')).to.deep.equal({ offset: 'Not together with after' })
      expect(await refused('after=a b')).to.deep.equal({ after: 'Must be valid id' })
      expect(await refused('after=txn_none&group_by=status')).to.deep.equal({
        after: 'Only for lists of objects',
      })
    })
  })
})
