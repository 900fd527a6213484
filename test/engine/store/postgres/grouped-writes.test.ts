import { expect } from 'chai'
import fc from 'fast-check'
import type { Write } from '../../../../src/engine/store/postgres/group-member.js'
import { writingSteps } from '../../../../src/engine/store/postgres/grouped-writes.js'

const queries = ['a', 'b', 'c', 'd'].map((table) => ({ table }))

/** An insert of one row by itself. */
function write(index: number): Write {
  const query = queries[index] ?? {}
  return {
    query,
    statement: { kind: 'write', table: String(index), rows: undefined },
    values: [],
    alone: () => Promise.resolve(),
    note: () => undefined,
  }
}

describe('writes of a group of units of work', () => {
  it('are each sent once, in the sequence of their own unit of work', () => {
    const work = fc.array(fc.nat({ max: queries.length - 1 }), { maxLength: 6 })
    fc.assert(
      fc.property(fc.array(work, { maxLength: 6 }), (indexes) => {
        const works = indexes.map((each) => each.map(write))
        const order = writingSteps(works).flatMap((step) =>
          step.kind === 'alone' ? [step.write] : step.writes,
        )
        expect(order).to.have.members(works.flat())
        for (const writes of works) {
          const places = writes.map((each) => order.indexOf(each))
          expect(places).to.deep.equal(places.toSorted((one, other) => one - other))
        }
      }),
    )
  })
})
