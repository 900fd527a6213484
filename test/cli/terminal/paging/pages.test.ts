import { expect } from 'chai'
import type { ClientRequest, QueryPair } from '../../../../src/cli/terminal/client/client.js'
import { pagesOf } from '../../../../src/cli/terminal/paging/pages.js'
import type { ApiResponse } from '../../../../src/engine/core/request/request.js'
import { objectsNumbered } from '../../../support/numbered.js'

const list = { method: 'GET', path: '/things', query: [['status', 'good']] } as const

/** Reads pages of a list with `many` objects; returns the objects' ids, and the queries that were sent. */
async function asked(many: number, most: number | undefined, query: readonly QueryPair[] = list.query) {
  const queries: (readonly QueryPair[])[] = []
  const counts: (boolean | undefined)[] = []
  const ask = async ({ query = [], count }: ClientRequest): Promise<ApiResponse> => {
    queries.push(query)
    counts.push(count)
    return objectsNumbered(many, query, count === true)
  }
  const ids: unknown[] = []
  const totals: unknown[] = []
  for await (const { values, total } of pagesOf(ask, { ...list, query, count: true }, most)) {
    ids.push(...values.map(({ id }) => id))
    totals.push(total)
  }
  return { ids, queries, counts, totals }
}

describe('pages of a list', () => {
  it('are limited to the first page by default', async () => {
    const { ids, queries } = await asked(250, undefined)
    expect(ids).to.have.lengthOf(100)
    expect(queries).to.deep.equal([list.query])
  })

  it('reach the requested number of objects, each page after the last object of the previous page', async () => {
    const { ids, queries, counts, totals } = await asked(5000, 2500)
    expect(ids).to.deep.equal(Array.from({ length: 2500 }, (_, index) => index))
    expect(queries).to.deep.equal([
      [
        ['status', 'good'],
        ['limit', '1000'],
      ],
      [
        ['status', 'good'],
        ['after', '999'],
        ['limit', '1000'],
      ],
      [
        ['status', 'good'],
        ['after', '1999'],
        ['limit', '500'],
      ],
    ])
    expect(counts).to.deep.equal([true, false, false])
    expect(totals).to.deep.equal([2500, 2500, 2500])
  })

  it('can all be read', async () => {
    for (const many of [0, 1, 999, 1000, 1001, 3000]) {
      const { ids } = await asked(many, Number.POSITIVE_INFINITY)
      expect(ids).to.have.lengthOf(many)
    }
  })

  it('start at the given offset, which only the first query contains', async () => {
    const { ids } = await asked(3000, Number.POSITIVE_INFINITY, [['offset', '10']])
    expect([ids[0], ids.at(-1), ids.length]).to.deep.equal([10, 2999, 2990])
  })
})
