import { expect } from 'chai'
import fc from 'fast-check'
import { shapeless, shapeOf } from '../../../../src/cli/terminal/input/shape.js'
import { listText } from '../../../../src/cli/terminal/output/list.js'
import { render } from '../../../../src/cli/terminal/output/render.js'
import type { Rendering } from '../../../../src/cli/terminal/output/rendering.js'
import { resources } from '../../../../src/resources/index.js'
import type { JsonObject } from '../../../../src/schema/json.js'
import { registryOf } from '../../../../src/schema/registry.js'

const shape = shapeOf(registryOf(resources), resources.transaction)
const look = { colour: false }

/** What the pages of a list are as text. */
function written(
  pages: readonly (readonly JsonObject[])[],
  rendering: Omit<Rendering, 'shape'> & { shape?: Rendering['shape'] },
): string {
  const text = listText({ shape, ...rendering })
  return pages.map((page) => text.page(page)).join('') + text.end()
}

const payment = (id: string, amount: number): JsonObject => ({ id, object: 'transaction', amount })

describe('a list, page by page', () => {
  const pages = fc.array(fc.array(fc.record({ id: fc.string(), amount: fc.integer() }), { maxLength: 4 }), {
    maxLength: 4,
  })

  it('is the same JSON as in one piece, indented or not', () => {
    fc.assert(
      fc.property(pages, fc.boolean(), (some, isPretty) => {
        const on = isPretty ? { width: 80, colour: true } : look
        const whole: JsonObject = { object: 'list', values: some.flat() }
        expect(written(some, { format: 'json', look: on })).to.equal(
          render(whole, { format: 'json', shape, look: on }),
        )
      }),
    )
  })

  it('is an object a line as NDJSON', () => {
    fc.assert(
      fc.property(pages, (some) => {
        const lines = written(some, { format: 'ndjson', look }).split('\n')
        expect(lines.pop()).to.equal('')
        expect(lines.map((line) => JSON.parse(line))).to.deep.equal(some.flat())
      }),
    )
  })

  it('has one head as a table, and columns that later pages widen', () => {
    const some = [[payment('txn_1', 5)], [payment('txn_2', 1234567.5)], []]
    expect(written(some, { format: 'table', look, asked: ['id', 'amount'] })).to.equal(
      'ID     AMOUNT\ntxn_1    5.00\ntxn_2  1234567.50\n',
    )
    expect(written([[]], { format: 'table', look })).to.equal('')
  })

  it('has one head as CSV, also without objects', () => {
    const asked = ['id', 'amount', 'payment_method.card']
    const head =
      'id,amount,payment_method[card][card_brand],payment_method[card][card_number],' +
      'payment_method[card][card_type],payment_method[card][expiry]\n'
    expect(
      written([[payment('txn_1', 5)], [payment('txn_2', -0.5)]], { format: 'csv', look, asked }),
    ).to.equal(`${head}txn_1,5.00,,,,\ntxn_2,-0.50,,,,\n`)
    expect(written([], { format: 'csv', look, asked })).to.equal(head)
  })

  it('has every default attribute as CSV unless some are named', () => {
    const [head = ''] = written([], { format: 'csv', look }).split('\n')
    expect(head.split(','))
      .to.include.members(['id', 'amount', 'order_details[incl_costs][tax]', 'payment_method[card][expiry]'])
      .and.not.include.members(['object', 'card_code'])
  })

  it('quotes what CSV has to quote, and writes lists as JSON', () => {
    const row = { a: 'x,"y"\nz', b: [1, 2], c: null, d: true, e: ' ', f: { g: '=1' } }
    expect(written([[row]], { format: 'csv', look, shape: shapeless })).to.equal(
      'a,b,c,d,e,f[g]\n"x,""y""\nz","[1,2]",,true," ",=1\n',
    )
  })

  it('shows functions as what they compute', () => {
    const row = {
      status: 'processed',
      'count(*)': 2,
      'sum(amount)': 100,
      'max(created_at)': '2026-01-01 00:00:00',
    }
    const asked = Object.keys(row)
    expect(written([[row]], { format: 'table', look, asked })).to.equal(
      'STATUS     COUNT(*)  SUM(AMOUNT)  MAX(CREATED_AT) (UTC)\n' +
        'processed         2       100.00  2026-01-01 00:00:00\n',
    )
  })
})
