import { expect } from 'chai'
import { prose, shapeless, shapeOf } from '../../../../src/cli/terminal/input/shape.js'
import type { Look } from '../../../../src/cli/terminal/output/look.js'
import { render } from '../../../../src/cli/terminal/output/render.js'
import { widthOf } from '../../../../src/cli/terminal/output/width.js'
import { resources } from '../../../../src/resources/resource-table.js'
import type { JsonObject } from '../../../../src/schema/json.js'
import { registryOf } from '../../../../src/schema/registry.js'

const shape = shapeOf(registryOf(resources), resources.transaction)
const piped: Look = { colour: false }

const payment: JsonObject = {
  id: 'txn_1',
  object: 'transaction',
  type: 'payment',
  amount: 1250,
  status: 'processed',
  funding_status: null,
  payment_method: {
    id: 'pm_1',
    object: 'payment_method',
    description: 'Visa ending in 4242',
    card: { expiry: '12/39' },
  },
  created_at: '2025-01-02 03:04:05',
}
const refund: JsonObject = { ...payment, id: 'txn_2', type: 'refund', amount: 3.5, status: 'declined' }
const list: JsonObject = { object: 'list', values: [payment, refund] }

describe('command output', () => {
  const lines = async (body: JsonObject, look: Look = piped, of = shape) =>
    (await render(body, { format: 'table', shape: of, look })).split('\n').slice(0, -1)

  it('equals the HTTP answer as JSON', async () => {
    const json = { format: 'json', shape } as const
    expect(await render(list, { ...json, look: piped })).to.equal(`${JSON.stringify(list)}\n`)
    expect(JSON.parse(await render(list, { ...json, look: { width: 80, colour: true } }))).to.deep.equal(list)
  })

  it('is a table for a list: numbers right, money with decimals, times with their zone', async () => {
    expect(await lines(list)).to.deep.equal([
      'ID     TYPE      AMOUNT  STATUS     FUNDING_STATUS  CUSTOMER[NAME]  PAYMENT_METHOD[DESCRIPTION]  CREATED_AT (UTC)',
      'txn_1  payment  1250.00  processed                                  Visa ending in 4242          2025-01-02 03:04:05',
      'txn_2  refund      3.50  declined                                   Visa ending in 4242          2025-01-02 03:04:05',
    ])
  })

  it('is readable on a terminal: word headings, currency and commas, local time with its zone', async () => {
    const look = { width: 200, colour: false, zone: 'America/New_York' }
    expect(await lines(list, look)).to.deep.equal([
      'ID     TYPE        AMOUNT  STATUS     FUNDING STATUS  CUSTOMER  PAYMENT METHOD       CREATED',
      'txn_1  payment  $1,250.00  processed                            Visa ending in 4242  2025-01-01 22:04 EST',
      'txn_2  refund       $3.50  declined                             Visa ending in 4242  2025-01-01 22:04 EST',
    ])
    expect((await lines(payment, look)).at(-1)).to.equal('created_at  2025-01-01 22:04:05 EST')
  })

  it("wraps a command's own table on a narrow terminal, and omits no column", async () => {
    const checks: JsonObject = {
      object: 'list',
      values: [
        { check: 'disk', found: '3.1 MiB are free where /srv/payctl/homes is', fix: 'make room' },
        { check: 'clock', found: 'right', fix: null },
      ],
    }
    expect(await lines(checks, { width: 32, colour: false }, prose)).to.deep.equal([
      'CHECK  FOUND           FIX',
      'disk   3.1 MiB are     make room',
      '       free where',
      '       /srv/payctl/ho',
      '       mes is',
      'clock  right',
    ])
    expect((await lines(checks, piped, prose)).length).to.equal(3)
  })

  it('shows the end of a payment method, which identifies a card, on a narrow terminal', async () => {
    const methods: JsonObject = {
      object: 'list',
      values: [{ what: 'Checking account ending in 3210', id: 'pm_1' }],
    }
    const narrow = await lines(methods, { width: 30, colour: false }, shapeless)
    expect(narrow.at(-1)).to.include('Checking account …3210')
    const wide = await lines(methods, { width: 60, colour: false }, shapeless)
    expect(wide.at(-1)).to.include('Checking account ending in 3210')
  })

  it('wraps sentences of one object between words, but no value that is copied', async () => {
    const object = {
      words: 'It waits for the end of its business day',
      address: `https://example.com/${'x'.repeat(40)}`,
    }
    expect(await lines(object, { width: 40, colour: false }, shapeless)).to.deep.equal([
      'words    It waits for the end of its',
      '         business day',
      `address  ${object.address}`,
    ])
  })

  it('shortens ids whose prefix has several words', async () => {
    const values = [{ object: 'access_token', id: 'test_client_key_0Vbcf1Nl000s4VuV55jFK', type: 'client' }]
    const [head, row] = await lines({ object: 'list', values }, { width: 40, colour: false })
    expect([head, row].join()).to.include('test_client_key_…5jFK')
  })

  it('shortens ids before it hides money, and hides the least important columns first', async () => {
    const values = [
      { ...payment, id: 'txn_0Vbcf1Nl000s4VuV55jFK', funding_status: 'captured', customer: { name: 'Ada' } },
    ]
    const shown = async (width: number) => await lines({ object: 'list', values }, { width, colour: false })
    expect(await shown(80)).to.deep.equal([
      '                                          FUNDING',
      'ID         TYPE        AMOUNT  STATUS     STATUS         CUSTOMER  CREATED     …',
      'txn_…5jFK  payment  $1,250.00  processed  captured       Ada       2025-01-02',
    ])
    expect(await shown(40)).to.deep.equal([
      'ID         TYPE        AMOUNT  …',
      'txn_…5jFK  payment  $1,250.00',
    ])
  })

  it('fits a terminal by narrowing its widest columns, and cuts no text in a pipe', async () => {
    const long: JsonObject = { object: 'list', values: [{ ...payment, status: 'x'.repeat(60) }] }
    for (const width of [60, 80, 100]) {
      const widest = Math.max(...(await lines(long, { width, colour: false })).map(widthOf))
      expect(widest).to.be.at.most(width)
    }
    expect((await lines(long, { width: 60, colour: false })).at(-1)).to.match(/^txn_1 .* \$1,250\.00/)
    expect((await lines(long))[1]).to.include('x'.repeat(60))
  })

  it('colours statuses only if colours are on', async () => {
    const text = (await lines(list, { width: 200, colour: true })).join('\n')
    expect(text).to.include('\u001b[32mprocessed\u001b[39m').and.include('\u001b[31mdeclined\u001b[39m')
    expect((await lines(list)).join('\n')).to.not.include('\u001b')
  })

  it('is aligned lines for one object, nested objects indented, null values omitted', async () => {
    expect(await lines(payment)).to.deep.equal([
      'id                txn_1',
      'type              payment',
      'amount            1250.00',
      'status            processed',
      'payment_method',
      '  id           pm_1',
      '  description  Visa ending in 4242',
      '  card',
      '    expiry  12/39',
      'created_at (UTC)  2025-01-02 03:04:05',
    ])
  })

  it('shows nested lists under dashes', async () => {
    const body: JsonObject = {
      id: 'txn_1',
      ledger: [
        { id: 'lgr_1', amount: -3 },
        { id: 'lgr_2', amount: 4 },
      ],
    }
    expect(await lines(body)).to.deep.equal([
      'id  txn_1',
      'ledger',
      '  - id      lgr_1',
      '    amount  -3.00',
      '  - id      lgr_2',
      '    amount  4.00',
    ])
  })

  it('has the columns found in the rows when attributes were requested', async () => {
    const body: JsonObject = { object: 'list', values: [{ id: 'a', card: { expiry: '12/39' } }] }
    expect(
      await render(body, { format: 'table', shape: shapeless, look: piped, requested: ['card', 'id'] }),
    ).to.equal('ID  CARD[EXPIRY]\na   12/39\n')
  })

  it('groups many attributes of one object in sections', async () => {
    const whole: JsonObject = {
      ...payment,
      fee: 36.55,
      conv_fee: 1,
      avs: 'unknown',
      source: 'keyed',
      customer_id: 'acct_1',
      processing_id: 'acct_2',
      funding_status: 'pending',
      modified_at: '2025-01-02 03:04:06',
    }
    expect(await lines(whole)).to.deep.equal([
      'id                 txn_1',
      'type               payment',
      'amount             1250.00',
      'status             processed',
      'funding_status     pending',
      '',
      'fee                36.55',
      'conv_fee            1.00',
      '',
      'avs                unknown',
      'source             keyed',
      '',
      'customer_id        acct_1',
      'processing_id      acct_2',
      '',
      'created_at (UTC)   2025-01-02 03:04:05',
      'modified_at (UTC)  2025-01-02 03:04:06',
      '',
      'payment_method',
      '  id           pm_1',
      '  description  Visa ending in 4242',
      '  card',
      '    expiry  12/39',
    ])
  })

  it('shows no control characters of stored text', async () => {
    const text = (await lines({ id: 'txn_1', description: 'a\u001b[2Jb\u0007\nc\u202ed' })).join('\n')
    expect(text).to.equal('id           txn_1\ndescription  a [2Jb c d')
  })

  it('is empty for an empty list', async () => {
    expect(await lines({ object: 'list', values: [] })).to.deep.equal([])
  })
})
