import { expect } from 'chai'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'

const ITEMS = 300
const fields = (times: number) => `fields=items${'[invoice][items]'.repeat(times)}[description]`

describe('lists that lead back to their parent', () => {
  onDatabases((open) => {
    let core: TestCore
    let path: string
    before(async () => {
      core = await openCore(open)
      const customer_id = idOf(await core.ok('POST', '/customers', { name: 'Ada' }))
      const item = { entry_type: 'charge', amount: 1, description: 'a book' }
      const items = Array.from({ length: ITEMS }, () => item)
      path = `/invoices/${idOf(await core.ok('POST', '/invoices', { customer_id, items }))}`
    })

    it('can be nested inside each other', async () => {
      const { items } = await core.ok('GET', path, undefined, { query: fields(1) })
      expect(items).to.have.length(ITEMS)
    })

    it('are refused if a short request would have an endless answer, and no object is changed', async () => {
      for (const times of [2, 3, 15])
        for (const method of ['GET', 'PUT'] as const) {
          const body = method === 'PUT' ? { description: 'changed' } : undefined
          const { status, body: refusal } = await core.send(method, path, body, { query: fields(times) })
          expect([times, method, status, refusal.error_type]).to.deep.equal([
            times,
            method,
            400,
            'BadRequest',
          ])
          expect(refusal.error_description).to.include('ask for fewer with limit')
        }
      expect((await core.ok('GET', path)).description).to.equal(null)
    })
  })
})
