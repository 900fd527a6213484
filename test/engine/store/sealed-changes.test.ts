import { expect } from 'chai'
import fc from 'fast-check'
import { leafHash } from '../../../src/engine/store/books/merkle.js'
import { MAX_ENTRIES, SealedChanges } from '../../../src/engine/store/books/sealed-changes.js'
import { type SealedTable, sealedTables } from '../../../src/engine/store/books/sealed-table.js'
import type { Row } from '../../../src/schema/columns.js'

const tables = [...sealedTables().values()]

/** Expected content of a row, computed in a simple, slow way. */
function canonical({ object, columns }: SealedTable, values: readonly unknown[]): string {
  const filled = columns.flatMap(({ name, isFlag }, at) => {
    const value = values[at]
    return value === null || value === undefined ? [] : [[name, isFlag ? value === 1 : value] as const]
  })
  const inOrder = [...filled, ['object', object] as const].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(inOrder))
}

const anyValue = fc.oneof(
  fc.constant(null),
  fc.integer(),
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\n', '\u007f', '\u2028', '\ud800', ' ', ''),
)

describe('the sealed form of a row', () => {
  it('is its canonical JSON, for any values', () => {
    const rows = fc
      .constantFrom(...tables)
      .chain((table) => fc.tuple(fc.constant(table), fc.tuple(...table.columns.map(() => anyValue))))
    fc.assert(
      fc.property(rows, ([table, values]) => {
        expect(table.write(values)).to.equal(canonical(table, values))
      }),
    )
  })
})

describe('the sealed form of a stored answer', () => {
  const table = sealedTables().get('idempotency_records')
  if (!table) throw new Error('Answers are not sealed')
  const row = { id: 'a', request_hash: 'b', status: 200, created_at: '2026-01-31 00:00:00' }
  const sealed = (more: Row) => table.write(table.valuesOf({ ...row, ...more }))
  const without =
    '{"created_at":"2026-01-31 00:00:00","id":"a","object":"kept_answer","request_hash":"b","status":200}'

  it('contains the answer, and differs if the answer is null', () => {
    expect(sealed({ answer: null })).to.equal(without)
    expect(sealed({ answer: '{"id":1}' })).to.equal(without.replace('{', '{"answer":"{\\"id\\":1}",'))
    expect(sealed({ answer: null, continuation: '{}' })).to.include('"continuation":"{}"')
  })

  it('omits columns that an older database does not have', () => {
    expect(table.write(table.valuesOf(row))).to.equal(without)
  })
})

describe('changes waiting for their seal', () => {
  const [table] = tables
  if (!table) throw new Error('No table is sealed')
  const id = table.columns.findIndex(({ column }) => column === 'id')
  const row = (name: string, text: string) =>
    table.columns.map((_, at) => {
      if (at === id) return name
      return at === id + 1 ? text : null
    })

  it('make one entry per row, with its last change, in order of first change', () => {
    const changes = new SealedChanges()
    changes.add([
      { table, values: row('a', 'old') },
      { table, values: row('b', 'only') },
      { table, values: row('a', 'new') },
    ])
    expect(changes.take()).to.deep.equal([
      {
        names: `${table.object} a\n${table.object} b`,
        leaves: [row('a', 'new'), row('b', 'only')].map((values) => leafHash(table.write(values))),
        control: false,
      },
    ])
    expect(changes.take()).to.deep.equal([])
  })

  it('are sealed in commits of limited size', () => {
    const changes = new SealedChanges()
    for (let n = 0; n <= MAX_ENTRIES; n++) changes.add([{ table, values: row(`row${n}`, '') }])
    const batches = changes.take()
    expect(batches.map(({ leaves }) => leaves.length)).to.deep.equal([MAX_ENTRIES, 1])
    expect(batches[1]?.names).to.equal(`${table.object} row${MAX_ENTRIES}`)
  })
})
