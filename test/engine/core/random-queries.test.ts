import { expect } from 'chai'
import fc from 'fast-check'
import type { Core } from '../../../src/engine/core/core.js'
import { owner as principal } from '../../../src/engine/core/request/principal.js'
import type { ApiResponse, QueryPair } from '../../../src/engine/core/request/request.js'
import { resources } from '../../../src/resources/resource-table.js'
import { registryOf } from '../../../src/schema/registry.js'
import type { Resource } from '../../../src/schema/resource.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, makeCustomer, makeProcessing, pay } from '../../support/examples.js'
import { openThings } from './matrix/open-things.js'
import { queriesOf } from './matrix/queries.js'
import { thing } from './matrix/thing.js'
import { makeThings } from './matrix/things.js'

type Ask = (query: readonly QueryPair[]) => Promise<ApiResponse>

const PAGE = 9

/** Expects a query to be answered or refused; all pages together must have the counted rows, each once. */
async function expectAgreement(ask: Ask, query: readonly QueryPair[]): Promise<void> {
  const counted = await ask([...query, ['limit', '1']])
  expect(counted.status).to.be.oneOf([200, 400])
  if (counted.status === 400) {
    expect(counted.body.object).to.equal('error')
    return
  }
  const total = Number(counted.headers['X-Total-Count'])
  const walked: string[] = []
  for (let offset = 0, more = true; more; offset += PAGE) {
    const page = await ask([...query, ['limit', String(PAGE)], ['offset', String(offset)]])
    expect(page.status).to.equal(200)
    const values = valuesOf(page.body)
    walked.push(...values.map((value) => JSON.stringify(value)))
    more = page.headers.Link !== undefined
    expect(values.length).to.equal(Math.min(PAGE, total - offset))
  }
  expect(walked.length).to.equal(total)
  const isOfObjects = !query.some(
    ([name, value]) => /^(fields?|group_by)/.test(name) || /\(/.test(name + value),
  )
  if (isOfObjects) expect(new Set(walked).size).to.equal(total)
}

onDatabases('sql', (open) => {
  describe('random queries', () => {
    it('over every kind of field are answered or refused, with counts equal to the paged rows', async () => {
      const core: Core = await openThings(open)
      await makeThings(core)
      const ask: Ask = async (query) =>
        await core.handle({ method: 'GET', path: '/things', query, principal, count: true })
      const queries = queriesOf(registryOf({ thing }), thing)
      await fc.assert(
        fc.asyncProperty(queries, (query) => expectAgreement(ask, query)),
        { numRuns: 250 },
      )
    })

    it('over every resource are answered or refused, with counts equal to the paged rows', async () => {
      const core: TestCore = await openCore(open)
      const shop = await makeProcessing(core)
      const ada = await makeCustomer(core, shop)
      const payment = idOf(await pay(core, shop, 20, { customer_id: ada, attrs: { a: [{ plain: 1 }] } }))
      await pay(core, shop, 12.5, { payment_method: bankAccount() })
      const ledger = [{ assoc_transaction_id: payment }]
      for (const amount of [1, 2, 3])
        await core.ok('POST', '/transactions', { type: 'refund', amount, ledger })

      const registry = registryOf(resources)
      const asked = fc
        .constantFrom<Resource>(...registry.all)
        .chain((resource) => fc.tuple(fc.constant(`/${resource.plural}`), queriesOf(registry, resource)))
      const handle = core.environment.core
      await fc.assert(
        fc.asyncProperty(asked, async ([path, query]) => {
          const ask: Ask = async (pairs) =>
            await handle.handle({ method: 'GET', path, query: pairs, principal, count: true })
          await expectAgreement(ask, query)
        }),
        { numRuns: 250 },
      )
    })
  })
})
