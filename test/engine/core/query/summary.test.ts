import { expect } from 'chai'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Aggregate } from '../../../../src/engine/core/query/call.js'
import { aggregateOf, partOfColumn } from '../../../../src/engine/core/query/summary.js'
import type { Store } from '../../../../src/engine/store/database/store.js'
import type { Stored } from '../../../../src/schema/columns.js'
import type { ValueField } from '../../../../src/schema/field.js'
import { onDatabases } from '../../../support/databases.js'

type Operation = Aggregate['operation']

onDatabases('sql', (open) => {
  describe('a summary function over many rows', () => {
    let store: Store
    before(async () => {
      store = (await open()).store
    })

    /** Result of a summary function in the database over stored integers of a field. */
    async function summary(operation: Operation, field: ValueField, ...numbers: (number | null)[]) {
      const of = { steps: [], end: { kind: 'value', field, path: ['n'] } } as const
      const shown: ValueField = operation === 'avg' && field.kind === 'integer' ? { kind: 'number' } : field
      const aggregate = { kind: 'aggregate', name: operation, operation, of, field: shown } as const
      const value = aggregateOf(aggregate, (part) => partOfColumn(sql.ref('rows.n'), part))
      const rows = sql.join(numbers.map((number) => sql`(cast(${number} as bigint))`))
      const found = await store.read((tx) =>
        sql<{ value: Stored }>`with rows(n) as (values ${rows}) select ${value} as value from rows`.execute(
          tx.any,
        ),
      )
      return found.rows[0]?.value
    }
    const money = { kind: 'money' } as const
    const integer = { kind: 'integer' } as const

    /** Rounds halves away from zero. */
    const quotient = (total: bigint, count: bigint) => {
      const size = total < 0n ? -total : total
      const rounded = (2n * size + count) / (2n * count)
      return Number(total < 0n ? -rounded : rounded)
    }
    const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + BigInt(number), 0n)
    const cents = fc.array(fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }), {
      minLength: 1,
      maxLength: 40,
    })
    const few = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 9 })

    it('adds exactly', () =>
      fc.assert(
        fc.asyncProperty(cents, async (numbers) => {
          expect(await summary('sum', money, ...numbers)).to.equal(Number(total(numbers)))
        }),
        { numRuns: 50 },
      ))

    it('averages and rounds halves away from zero', () =>
      fc.assert(
        fc.asyncProperty(fc.oneof(cents, few), async (numbers) => {
          const expected = quotient(total(numbers), BigInt(numbers.length))
          expect(await summary('avg', money, ...numbers)).to.equal(expected + 0)
        }),
        { numRuns: 100 },
      ))

    it('averages whole numbers with four decimals', () =>
      fc.assert(
        fc.asyncProperty(few, async (numbers) => {
          const expected = quotient(total(numbers) * 10_000n, BigInt(numbers.length))
          expect(await summary('avg', integer, ...numbers)).to.equal(expected + 0)
        }),
        { numRuns: 50 },
      ))

    it('ignores nulls, and is null if all values are null', async () => {
      for (const operation of ['sum', 'avg', 'min', 'max'] as const) {
        expect(await summary(operation, money, null)).to.equal(null)
        expect(await summary(operation, money, 3, null, 3)).to.equal(operation === 'sum' ? 6 : 3)
      }
    })

    const largest = Number.MAX_SAFE_INTEGER
    const many = Array.from({ length: 1_100 }, () => largest)
    for (const [what, numbers] of [
      ['too much', many],
      ['too little', many.map((number) => -number)],
    ] as const)
      it(`returns a number beyond the safe integers if the total is ${what} to be exact`, async () => {
        for (const operation of ['sum', 'avg'] as const) {
          const value = Number(await summary(operation, integer, ...numbers))
          expect(Number.isSafeInteger(value)).to.equal(false)
          expect(value > 0).to.equal(what === 'too much')
        }
      })

    it('is exact up to the largest safe integer', async () => {
      expect(await summary('sum', integer, largest)).to.equal(largest)
      expect(await summary('sum', integer, -largest, 1)).to.equal(1 - largest)
      expect(await summary('avg', money, largest - 2, 2)).to.equal((largest + 1) / 2)
    })
  })
})
