import { expect } from 'chai'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'

describe('a filter that leaves a list and enters it again', () => {
  onDatabases((open) => {
    let core: TestCore
    let id: string
    before(async () => {
      core = await openCore(open)
      const customer_id = idOf(await core.ok('POST', '/customers', { name: 'Ada' }))
      const items = [{ entry_type: 'charge', amount: 1, description: 'a book' }]
      id = idOf(await core.ok('POST', '/invoices', { customer_id, items }))
    })

    it('is refused, because it would read the product of both lengths', async () => {
      for (const [method, path, more] of [
        ['GET', '/invoices', ''],
        ['GET', `/invoices/${id}`, ''],
        ['GET', '/invoices', '&fields=count(*)'],
        ['GET', '/line_items', ''],
        ['PUT', `/invoices/${id}`, ''],
        ['PUT', '/invoices', '&mode=query'],
        ['DELETE', '/invoices', '&mode=query'],
      ] as const) {
        const name = path === '/line_items' ? 'invoice[items][invoice]' : 'items[invoice]'
        const query = `${name}[items][description]=a book${more}`
        const body = method === 'PUT' ? { description: 'changed' } : undefined
        const { status, body: refusal } = await core.send(method, path, body, { query })
        expect([method, path, status, refusal.error_description]).to.deep.equal([
          method,
          path,
          400,
          'A name may not lead back out of a list and through it again',
        ])
      }
    })

    it('may leave the list once', async () => {
      const once = 'items[invoice][customer][name]=Ada'
      const { values } = await core.ok('GET', '/invoices', undefined, { query: once })
      expect(values).to.have.length(1)
    })
  })
})
