import { expect } from 'chai'
import { Gathered } from '../../../../src/domain/verify/ledger/gathered.js'
import type { Work } from '../../../../src/engine/core/write/work.js'
import { openCore } from '../../../support/core.js'
import { onSqlite } from '../../../support/databases.js'

/** Transactions 000 to 199, each referenced by two of 400 rows, which are read ten at a time. */
const ROWS = Array.from({ length: 400 }, (_, n) => ({
  id: digits(n),
  names: digits((n * 7) % 200),
}))
const STRETCH = 10
const STRETCHES = ROWS.length / STRETCH + 1

describe('related rows of transactions', () => {
  onSqlite((open) => {
    /** The rows gathered for each transaction, in pages of 20, and how often rows were read. */
    async function gatheredWith(mostKept: number) {
      const { core } = await (await openCore(open)).app.environment('test')
      let reads = 0
      const gathered = new Gathered<readonly string[]>(
        {
          async read(_work: Work, position, { after, until }) {
            reads++
            const rows = ROWS.filter(({ id }) => id > position).slice(0, STRETCH)
            const said = rows
              .filter(({ names }) => names > after && (until === undefined || names <= until))
              .map(({ id, names }) => [names, [id]] as const)
            return { last: rows.at(-1)?.id, said }
          },
          merge: (one, other) => [...one, ...other],
        },
        mostKept,
      )
      const found = new Map<string, readonly string[]>()
      for (let after = ''; after < digits(199); ) {
        const page = await core.read(async (work) => {
          if (await gathered.readOn(work, after)) return []
          const { until = digits(199) } = gathered
          return Array.from({ length: 200 }, (_, n) => digits(n))
            .filter((id) => id > after && id <= until)
            .slice(0, 20)
        })
        for (const id of page) found.set(id, gathered.of(id) ?? [])
        after = page.at(-1) ?? after
      }
      return { found, reads }
    }

    const expected = new Map(
      Array.from({ length: 200 }, (_, n) => [
        digits(n),
        ROWS.filter(({ names }) => names === digits(n)).map(({ id }) => id),
      ]),
    )

    it('are read once for all pages if they fit in memory', async () => {
      const { found, reads } = await gatheredWith(1_000)
      expect(found).to.deep.equal(expected)
      expect(reads).to.equal(STRETCHES)
    })

    it('are read again if they did not fit', async () => {
      const { found, reads } = await gatheredWith(60)
      expect(found).to.deep.equal(expected)
      expect(reads).to.be.within(2 * STRETCHES, 4 * STRETCHES)
    })
  })
})

function digits(n: number): string {
  return String(n).padStart(3, '0')
}
