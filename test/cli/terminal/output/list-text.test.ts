import { expect } from 'chai'
import fc from 'fast-check'
import { shapeless, shapeOf } from '../../../../src/cli/terminal/input/shape.js'
import { listText } from '../../../../src/cli/terminal/output/list-text.js'
import { render } from '../../../../src/cli/terminal/output/render.js'
import type { Rendering } from '../../../../src/cli/terminal/output/rendering.js'
import { resources } from '../../../../src/resources/resource-table.js'
import type { JsonObject } from '../../../../src/schema/json.js'
import { registryOf } from '../../../../src/schema/registry.js'

const shape = shapeOf(registryOf(resources), resources.transaction)
const look = { colour: false }

/** The text output of a list's pages. */
async function written(
  pages: readonly (readonly JsonObject[])[],
  rendering: Omit<Rendering, 'shape'> & { shape?: Rendering['shape'] },
): Promise<string> {
  const text = await listText({ shape, ...rendering })
  return pages.map((page) => text.page(page)).join('') + text.end()
}

const payment = (id: string, amount: number): JsonObject => ({ id, object: 'transaction', amount })

describe('a list written page by page', () => {
  const pages = fc.array(fc.array(fc.record({ id: fc.string(), amount: fc.integer() }), { maxLength: 4 }), {
    maxLength: 4,
  })

  it('is the same JSON as when written at once, indented or not', async () => {
    await fc.assert(
      fc.asyncProperty(pages, fc.boolean(), async (some, isPretty) => {
        const on = isPretty ? { width: 80, colour: true } : look
        const whole: JsonObject = { object: 'list', values: some.flat() }
        expect(await written(some, { format: 'json', look: on })).to.equal(
          await render(whole, { format: 'json', shape, look: on }),
        )
      }),
    )
  })

  it('has one object per line as NDJSON', async () => {
    await fc.assert(
      fc.asyncProperty(pages, async (some) => {
        const lines = (await written(some, { format: 'ndjson', look })).split('\n')
        expect(lines.pop()).to.equal('')
        expect(lines.map((line) => JSON.parse(line))).to.deep.equal(some.flat())
      }),
    )
  })

  it('has one header as a table, and wider columns for later values instead of cutting them', async () => {
    const some = [[payment('txn_1', 5)], [payment('txn_2', 1234567.5)], []]
    expect(await written(some, { format: 'table', look, requested: ['id', 'amount'] })).to.equal(
      'ID     AMOUNT\ntxn_1    5.00\ntxn_2  1234567.50\n',
    )
    expect(await written([[]], { format: 'table', look })).to.equal('')
    const pages = [[payment('txn_1', 5)], [payment('txn_22', 6), payment('txn_3', 7)]]
    const table = { format: 'table', requested: ['id', 'amount'] } as const
    expect(await written(pages, { ...table, look })).to.equal(
      'ID     AMOUNT\ntxn_1    5.00\ntxn_22    6.00\ntxn_3    7.00\n',
    )
    expect(await written(pages, { ...table, look: { width: 80, colour: false } })).to.equal(
      'ID     AMOUNT\ntxn_1   $5.00\ntxn_22   $6.00\ntxn_3   $7.00\n',
    )
  })

  it('cuts free text of later pages to its column on a terminal, and no text in a pipe', async () => {
    const described = (description: string): JsonObject => ({ description, amount: 5 })
    const some = [
      [described('short')],
      [described('much longer than the head')],
      [described('日本語日本語日本語')],
    ]
    const table = { format: 'table', requested: ['description', 'amount'] } as const
    expect(await written(some, { ...table, look: { width: 80, colour: false } })).to.equal(
      'DESCRIPTION  AMOUNT\nshort         $5.00\nmuch longe…   $5.00\n日本語日本…   $5.00\n',
    )
    expect(await written(some, { ...table, look })).to.equal(
      'DESCRIPTION  AMOUNT\nshort          5.00\nmuch longer than the head    5.00\n日本語日本語日本語    5.00\n',
    )
  })

  it('has one header as CSV, even without objects', async () => {
    const asked = ['id', 'amount', 'payment_method.card']
    const head =
      'id,amount,payment_method[card][card_brand],payment_method[card][card_number],' +
      'payment_method[card][card_type],payment_method[card][expiry]\n'
    expect(
      await written([[payment('txn_1', 5)], [payment('txn_2', -0.5)]], {
        format: 'csv',
        look,
        requested: asked,
      }),
    ).to.equal(`${head}txn_1,5.00,,,,\ntxn_2,-0.50,,,,\n`)
    expect(await written([], { format: 'csv', look, requested: asked })).to.equal(head)
  })

  it('has every default attribute as CSV unless some are named', async () => {
    const [head = ''] = (await written([], { format: 'csv', look })).split('\n')
    expect(head.split(','))
      .to.include.members(['id', 'amount', 'order_details[incl_costs][tax]', 'payment_method[card][expiry]'])
      .and.not.include.members(['object', 'card_code'])
  })

  it('quotes CSV as required, and writes lists as JSON', async () => {
    const row = { a: 'x,"y"\nz', b: [1, 2], c: null, d: true, e: ' ', f: { g: '=1' } }
    expect(await written([[row]], { format: 'csv', look, shape: shapeless })).to.equal(
      'a,b,c,d,e,f[g]\n"x,""y""\nz","[1,2]",,true," ",=1\n',
    )
  })

  it('aligns functions like the kind of value that they compute', async () => {
    const row = {
      status: 'processed',
      'count(*)': 2,
      'sum(amount)': 100,
      'max(created_at)': '2026-01-01 00:00:00',
    }
    const asked = Object.keys(row)
    expect(await written([[row]], { format: 'table', look, requested: asked })).to.equal(
      'STATUS     COUNT(*)  SUM(AMOUNT)  MAX(CREATED_AT) (UTC)\n' +
        'processed         2       100.00  2026-01-01 00:00:00\n',
    )
  })
})
