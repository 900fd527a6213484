import { expect } from 'chai'
import fc from 'fast-check'
import { type Expression, sql } from 'kysely'
import { contains, jsonListHas, jsonText, lockRows } from '../../../src/engine/store/database/differences.js'
import { using } from '../../../src/engine/store/database/raw-use.js'
import type { Store } from '../../../src/engine/store/database/store.js'
import { foldedText } from '../../../src/schema/folded-text.js'
import { insert } from '../../support/counters.js'
import { onDatabases } from '../../support/databases.js'

/** Texts that both databases can store: without NUL and unpaired surrogates. */
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((value) => !value.includes('\0'))

describe('SQL that differs between the databases', () => {
  onDatabases('sql', (open) => {
    let store: Store
    before(async () => {
      store = (await open()).store
      await store.write((tx) => insert(tx, 'a'))
    })

    async function evaluate<T>(expression: Expression<T>): Promise<T | undefined> {
      const { rows } = await store.read((tx) =>
        using({ reads: [] }, sql<{ value: T }>`select ${expression} as value`).execute(tx.any),
      )
      return rows[0]?.value
    }
    const whether = async (expression: Expression<unknown>) =>
      (await evaluate(sql<number>`case when ${expression} then 1 else 0 end`)) === 1

    describe('contains', () => {
      const has = (whole: string, part: string) =>
        whether(contains(store.dialect, sql`cast(${whole} as text)`, part))

      it('ignores the case of all letters', async () => {
        expect(await has('Ada LOVELACE', 'a love')).to.equal(true)
        expect(await has('Ärger', 'ärger')).to.equal(true)
        expect(await has('Ärger', 'arger')).to.equal(false)
        expect(await has('İstanbul', 'i')).to.equal(true)
      })

      it('treats % and _ as plain characters', async () => {
        expect(await has('100 percent', '100%')).to.equal(false)
        expect(await has('100% sure', '100%')).to.equal(true)
        expect(await has('abc', 'a_c')).to.equal(false)
        expect(await has('a\\b', '\\')).to.equal(true)
      })

      it('finds any part of any text', () =>
        fc.assert(
          fc.asyncProperty(text, text, text, async (before, part, after) => {
            expect(await has(before + part + after, part)).to.equal(true)
          }),
          { numRuns: 50 },
        ))

      it('equals a search in case-folded texts in memory', () =>
        fc.assert(
          fc.asyncProperty(text, text, async (whole, part) => {
            expect(await has(whole, part)).to.equal(foldedText(whole).includes(foldedText(part)))
          }),
          { numRuns: 50 },
        ))

      it('compares a number in its written form', async () => {
        expect(await whether(contains(store.dialect, sql`1234`, '23'))).to.equal(true)
      })
    })

    describe('a value inside a JSON column', () => {
      /** Stores a value in `attrs` and reads a path of it. */
      async function inside(value: unknown, ...keys: string[]): Promise<unknown> {
        const found = await store.write(
          async (tx) => {
            await tx.db
              .updateTable('accounts')
              .set({ attrs: JSON.stringify(value) })
              .execute()
            const path = jsonText(tx.dialect, 'accounts.attrs', keys)
            return using(
              { reads: [] },
              sql<{ value: unknown }>`select ${path} as value from accounts`,
            ).execute(tx.any)
          },
          { discard: true },
        )
        return found.rows[0]?.value
      }

      for (const [what, value, keys, expected] of [
        ['a text', { order: { id: 'x"y' } }, ['order', 'id'], 'x"y'],
        ['a number', { order: { id: 42 } }, ['order', 'id'], '42'],
        ['a decimal number', { rate: 0.1 }, ['rate'], '0.1'],
        ['a large number', { n: 1e21 }, ['n'], '1e+21'],
        ['true', { paid: true }, ['paid'], 'true'],
        ['false', { paid: false }, ['paid'], 'false'],
        ['null', { paid: null }, ['paid'], null],
        ['a missing name', { paid: null }, ['other'], null],
        ['a name inside a value that is no object', { paid: 'x' }, ['paid', 'deeper'], null],
        ['an object', { a: { b: 1, c: 'd' } }, ['a'], '{"b":1,"c":"d"}'],
        ['an item of a list', { list: ['a', { b: 'c' }] }, ['list', '1', 'b'], 'c'],
        ['an item of the outermost list', [['a', 'b']], ['0', '1'], 'b'],
        ['an object under a number', { '1': { '2': 'a' } }, ['1', '2'], 'a'],
        ['a key with a dot', { 'a.b': 1 }, ['a.b'], '1'],
        ['a key with quotes', { 'a"b': 1 }, ['a"b'], '1'],
        ['a key with a backslash', { 'a\\b': 1 }, ['a\\b'], '1'],
        ['a key with blanks and letters', { 'größe in m': 1 }, ['größe in m'], '1'],
        ['an empty key', { '': 1 }, [''], '1'],
      ] as const)
        it(`is found: ${what}`, async () => {
          expect(await inside(value, ...keys)).to.equal(expected)
        })

      it('is found under any name', () =>
        fc.assert(
          fc.asyncProperty(text, text, async (key, value) => {
            expect(await inside({ [key]: value }, key)).to.equal(value)
          }),
          { numRuns: 50 },
        ))

      it('is null if the column is null', async () => {
        const { rows } = await store.read((tx) =>
          using(
            { reads: [] },
            sql<{
              value: unknown
            }>`select ${jsonText(tx.dialect, 'accounts.attrs', ['a'])} as value from accounts`,
          ).execute(tx.any),
        )
        expect(rows).to.deep.equal([{ value: null }])
      })
    })

    it('a search in a JSON list matches whole items only', async () => {
      const answers = await store.write(
        async (tx) => {
          await tx.db.updateTable('accounts').set({ attrs: '["acct_1","acct_2"]' }).execute()
          const has = (item: string) =>
            tx.db
              .selectFrom('accounts')
              .select('id')
              .where(jsonListHas(tx.dialect, 'accounts.attrs', item))
              .execute()
          return [await has('acct_1'), await has('acct_2'), await has('acct')]
        },
        { discard: true },
      )
      expect(answers.map((rows) => rows.length)).to.deep.equal([1, 1, 0])
    })

    it('a row that is read with a lock has its stored values', async () => {
      const rows = await store.write((tx) =>
        lockRows(tx.dialect, tx.db.selectFrom('accounts').select('id').where('id', '=', 'a')).execute(),
      )
      expect(rows).to.deep.equal([{ id: 'a' }])
    })
  })
})
