import { expect } from 'chai'
import { owner, type Principal } from '../../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, card, makeCustomer, makeProcessing, pay } from '../../support/examples.js'
import { narrowed } from './merchants.js'

onDatabases('groups', (open) => {
  describe('functions and groups', () => {
    let core: TestCore
    let shop: string
    let ada: string
    let first: string

    before(async () => {
      core = await openCore(open)
      shop = await makeProcessing(core)
      const other = await makeProcessing(core, 'Hill Books')
      ada = await makeCustomer(core, shop, 'Ada Park')
      const tax = { order_details: { incl_costs: { tax: 1.25 } } }
      first = idOf(await pay(core, shop, 10, { customer_id: ada, description: 'book', ...tax }))
      await pay(core, shop, 20, { payment_method: card('5555 5555 5555 4444'), description: 'pen', ...tax })
      await pay(core, shop, 0.05, { status: 'authorized', description: 'book' })
      await pay(core, shop, 1250, { payment_method: bankAccount('111222333'), customer_id: ada })
      await pay(core, other, 7, { description: 'pen' })
      const ledger = [{ assoc_transaction_id: first }]
      for (const amount of [1, 2]) await core.ok('POST', '/transactions', { type: 'refund', amount, ledger })
    })

    const values = async (query: string, path = '/transactions') =>
      valuesOf(await core.ok('GET', path, undefined, { query }))

    const cases: readonly [query: string, groups: JsonObject[]][] = [
      ['fields=count(*)', [{ 'count(*)': 7 }]],
      ['fields=count(*)&amount=1000', [{ 'count(*)': 0 }]],
      ['fields=sum(amount)&amount=1000', [{ 'sum(amount)': null }]],
      [
        'fields=sum(amount),avg(amount),min(amount),max(amount)&type=payment',
        [{ 'sum(amount)': 1287.05, 'avg(amount)': 257.41, 'min(amount)': 0.05, 'max(amount)': 1250 }],
      ],
      ['fields=avg(amount)&amount=<7.01&type=payment', [{ 'avg(amount)': 3.53 }]],
      ['group_by=status', [{ status: 'authorized' }, { status: 'processed' }]],
      [
        'fields=status,count(*)&group_by=status&order_by=-count(*)',
        [
          { status: 'processed', 'count(*)': 6 },
          { status: 'authorized', 'count(*)': 1 },
        ],
      ],
      [
        'fields=description,sum(amount)&group_by=description&type=payment',
        [
          { description: null, 'sum(amount)': 1250 },
          { description: 'book', 'sum(amount)': 10.05 },
          { description: 'pen', 'sum(amount)': 27 },
        ],
      ],
      [
        'fields=description,sum(amount)&group_by=description&type=payment&sum(amount)=<100&order_by=-sum(amount)',
        [
          { description: 'pen', 'sum(amount)': 27 },
          { description: 'book', 'sum(amount)': 10.05 },
        ],
      ],
      ['fields=description&group_by=description&type=payment&sum(amount)=10.05|27', both('book', 'pen')],
      ['fields=description&group_by=description&sum(amount)=>1&sum(amount)=<14', both('book')],
      ['fields=description&group_by=description&sum(amount)[0]=>1&sum(amount)[1]=<14', both('book')],
      ['fields=description&group_by=description&count(*)=!2', both(null)],
      ['fields=description&group_by=description&avg(amount)=13.5', both('pen')],
      ['fields=description&group_by=description&max(description)=?*OO', both('book')],
      [
        'fields=description&group_by=description&sum(order_details[incl_costs][duty])=',
        both(null, 'book', 'pen'),
      ],
      [
        'fields=type,description,count(*)&group_by=type,description&order_by=desc(type)&limit=2',
        [
          { type: 'refund', description: null, 'count(*)': 2 },
          { type: 'payment', description: null, 'count(*)': 1 },
        ],
      ],
      [
        'group_by=payment_method[type]&fields=payment_method[type],sum(order_details[incl_costs][tax])',
        [
          { 'payment_method[type]': 'bank_account', 'sum(order_details[incl_costs][tax])': null },
          { 'payment_method[type]': 'card', 'sum(order_details[incl_costs][tax])': 2.5 },
        ],
      ],
      [
        'group_by=customer[name]&fields=customer[name],max(processing[processing][settings][credit_trans_rate])',
        [
          { 'customer[name]': null, 'max(processing[processing][settings][credit_trans_rate])': 2.9 },
          { 'customer[name]': 'Ada Park', 'max(processing[processing][settings][credit_trans_rate])': 2.9 },
        ],
      ],
      // Each value is named by its expression, with any text in the brackets.
      ['group_by=type[]&type=refund', [{ 'type[]': 'refund' }]],
      ['group_by=payment_method[keep_active]', [{ 'payment_method[keep_active]': true }]],
      ['fields=min(description),max(status)', [{ 'min(description)': 'book', 'max(status)': 'processed' }]],
      ['fields=count(*)&year(created_at)=>2000&month(created_at)=<=12', [{ 'count(*)': 7 }]],
      ['fields=count(*)&customer[name]=?*ada&hour(customer[created_at])=>=0', [{ 'count(*)': 4 }]],
      ['fields=count(*)&year(created_at)=1999', [{ 'count(*)': 0 }]],
    ]
    for (const [query, groups] of cases) {
      it(`${query} is ${JSON.stringify(groups)}`, async () => {
        expect(await values(query)).to.deep.equal(groups)
      })
    }

    it('split dates into parts, in groups and beside the attributes of an object', async () => {
      const object = await core.ok('GET', `/transactions/${first}`)
      const [, ...parts] = /^(\d+)-(\d+)-(\d+) (\d+)/.exec(String(object.created_at)) ?? []
      const [year = 0, month = 0, day = 0, hour = 0] = parts.map(Number)
      const dated = {
        'year(created_at)': year,
        'month(created_at)': month,
        'day(created_at)': day,
        'hour(created_at)': hour,
      }
      const names = Object.keys(dated).join()
      const [shown] = await values(`fields=amount,${names}&id=${first}&order_by=year(created_at)`)
      expect(shown).to.deep.equal({ amount: 10, ...dated })
      expect(await values(`fields=day(processed_date)&id=${first}`)).to.deep.equal([
        { 'day(processed_date)': Number(String(object.processed_date).slice(-2)) },
      ])
      expect(await values(`group_by=${names}&id=${first}`)).to.deep.equal([dated])
    })

    it('accept the names in group_by in every list syntax', async () => {
      const asked = [
        'type,status',
        'type&group_by=status',
        'type&group_by[]=status',
        'type&group_by[1]=status',
      ]
      const answers = await Promise.all(asked.map((names) => values(`group_by=${names}`)))
      for (const answer of answers) expect(answer).to.deep.equal(answers[0])
      expect(answers[0]).to.have.length(3)
    })

    it('count and page groups like objects', async () => {
      const query = 'group_by=description&limit=2'
      const page = await core.send('GET', '/transactions', undefined, { query, count: true })
      expect(Object.keys(page.body)).to.deep.equal(['object', 'values'])
      expect(page.headers).to.deep.equal({
        Link: '</transactions?group_by=description&limit=2&offset=2>; rel="next"',
        'X-Total-Count': '3',
      })
      const last = await core.send('GET', '/transactions', undefined, { query: `${query}&offset=2` })
      expect([last.body.values, last.headers]).to.deep.equal([both('pen'), {}])
      const whole = { query: 'fields=count(*)', count: true }
      expect((await core.send('GET', '/transactions', undefined, whole)).headers).to.deep.equal({
        'X-Total-Count': '1',
      })
    })

    it('work on lists below an object, too', async () => {
      expect(await values('fields=count(*),sum(amount)', `/transactions/${first}/ledger`)).to.deep.equal([
        { 'count(*)': 2, 'sum(amount)': -3 },
      ])
    })

    it('count only the objects that a narrowed key can see', async () => {
      const ask = async (query: string) =>
        await core.ok('GET', '/transactions', undefined, { query, principal: narrowed(shop) })
      expect(valuesOf(await ask('fields=count(*),max(processing[name])'))).to.deep.equal([
        { 'count(*)': 6, 'max(processing[name])': 'Park Books' },
      ])
    })

    it('treat values that the key cannot see as null', async () => {
      const core = await openCore(open)
      const mine = await makeProcessing(core)
      const theirs = await makeProcessing(core, 'Hill Books')
      const foreign = await makeCustomer(core, theirs, 'Ada Hill')
      await pay(core, mine, 3, { customer_id: foreign })
      const query = 'group_by=customer[name]&fields=customer[name],max(customer[created_at]),count(*)'
      const ask = async (principal: Principal) =>
        valuesOf(await core.ok('GET', '/transactions', undefined, { query, principal }))[0]
      expect(await ask(owner)).to.include({ 'customer[name]': 'Ada Hill', 'count(*)': 1 })
      expect(await ask(narrowed(mine))).to.deep.equal({
        'customer[name]': null,
        'max(customer[created_at])': null,
        'count(*)': 1,
      })
    })

    it('read related objects only with keys that may read them', async () => {
      const principal = {
        kind: 'key',
        id: 'key_1',
        manage: false,
        grants: { transactions: ['GET'] },
      } as const
      for (const query of [
        'fields=max(customer[name])',
        'group_by=customer[name]',
        'year(customer[created_at])=1',
      ]) {
        const { status } = await core.send('GET', '/transactions', undefined, { query, principal })
        expect([query, status]).to.deep.equal([query, 403])
      }
    })

    const refused: readonly [query: string, attribute: string, message: string][] = [
      ['fields=sum(description)', '[fields][sum(description)]', 'sum takes a number'],
      ['fields=avg(attrs[x])', '[fields][avg(attrs[x])]', 'avg takes a number'],
      ['fields=sum(created_at)', '[fields][sum(created_at)]', 'sum takes a number'],
      ['fields=year(amount)', '[fields][year(amount)]', 'year takes a date'],
      ['fields=hour(processed_date)', '[fields][hour(processed_date)]', 'hour takes a datetime'],
      ['fields=month(attrs)', '[fields][month(attrs)]', 'month takes a date'],
      ['fields=min(attrs)', '[fields][min(attrs)]', 'min takes values that have an order'],
      [
        'fields=max(payment_method[card][card_number])',
        '[fields][max(payment_method[card][card_number])]',
        'max takes values that have an order',
      ],
      ['fields=sum(ledger[amount])', '[fields][sum(ledger[amount])]', 'sum cannot reach into a list'],
      [
        'fields=sum(order_details[line_items][qty])',
        '[fields][sum(order_details[line_items][qty])]',
        'sum cannot reach into a list',
      ],
      ['fields=sum(colour)', '[fields][sum(colour)]', 'Unknown attribute'],
      ['fields=sum(customer[colour])', '[fields][sum(customer[colour])]', 'Unknown attribute'],
      ['fields=sum(sum(amount))', '[fields][sum(sum(amount))]', 'Unknown attribute'],
      ['fields=median(amount)', '[fields][median(amount)]', 'Unknown function'],
      ['fields=sum(amount', '[fields][sum(amount]', 'Unknown function'],
      ['fields=count(ledger)', '[fields][count(ledger)]', 'count cannot reach into a list'],
      ['median(amount)=3', '[median(amount)]', 'Unknown function'],
      ['year(colour)=3', '[year(colour)]', 'Unknown attribute'],
      ['year(created_at)=last', '[year(created_at)]', 'Must be valid integer'],
      ['fields=count(*)&sum(amount)=much', '[sum(amount)]', 'Must be valid number'],
      ['order_by=desc(year(colour))', '[order_by][desc(year(colour))]', 'Unknown attribute'],
      ['fields=id,count(*)', '[fields][id]', 'Must be in group_by'],
      ['fields=*,count(*)', '[fields][*]', 'Must be in group_by'],
      ['fields=colour,count(*)', '[fields][colour]', 'Unknown attribute'],
      [
        'group_by=status&fields=payment_method[type]',
        '[fields][payment_method][type]',
        'Must be in group_by',
      ],
      ['fields=year(created_at),count(*)', '[fields][year(created_at)]', 'Must be in group_by'],
      ['group_by=status&order_by=amount', '[order_by][amount]', 'Must be in group_by'],
      ['sum(amount)=>3', '[sum(amount)]', 'Needs fields or group_by'],
      ['order_by=sum(amount)', '[order_by][sum(amount)]', 'Needs fields or group_by'],
      ['group_by=colour', '[group_by][colour]', 'Unknown attribute'],
      ['group_by=customer[colour]', '[group_by][customer][colour]', 'Unknown attribute'],
      ['group_by=sum(amount)', '[group_by][sum(amount)]', 'Cannot be grouped by'],
      ['group_by=attrs', '[group_by][attrs]', 'Cannot be grouped by'],
      ['group_by=attrs[x]', '[group_by][attrs][x]', 'Cannot be grouped by'],
      ['group_by=ledger[amount]', '[group_by][ledger][amount]', 'it leads into a list'],
      [
        'group_by=payment_method[card][card_number]',
        '[group_by][payment_method][card][card_number]',
        'Cannot be grouped by',
      ],
    ]
    for (const [query, attribute, message] of refused) {
      it(`${query} is refused and names ${attribute}`, async () => {
        const { status, body } = await core.send('GET', '/transactions', undefined, { query })
        expect([status, body.error_type, body.error_description]).to.deep.equal([
          400,
          'InvalidAttributes',
          attribute,
        ])
        expect(JSON.stringify(body.details)).to.contain(message)
      })
    }

    it('are refused in requests that change objects', async () => {
      const asked = [
        ['GET', `/transactions/${first}`],
        ['GET', `/transactions/${first}/payment_method`],
        ['PUT', `/transactions/${first}`],
        ['PUT', '/transactions'],
        ['DELETE', '/transactions'],
      ] as const
      for (const [method, path] of asked) {
        const query = 'fields=count(*)&year(created_at)=2026&group_by=id&order_by=sum(amount)&mode=query'
        const { status, body } = await core.send(method, path, {}, { query })
        expect([method, path, status, body.details]).to.deep.equal([
          method,
          path,
          400,
          {
            fields: { 'count(*)': 'Only for lists' },
            'year(created_at)': 'Only for lists',
            group_by: { id: 'Only for lists' },
            order_by: { 'sum(amount)': 'Only for lists' },
          },
        ])
      }
    })

    it('hide numbers that are too large to be exact', async () => {
      const { write } = core.environment.core
      await write((work) =>
        work.tx.db.updateTable('transactions').set({ fee: Number.MAX_SAFE_INTEGER }).execute(),
      )
      const query = 'fields=sum(fee),max(fee)'
      const { status, body } = await core.send('GET', '/transactions', undefined, { query })
      expect([status, body.details]).to.deep.equal([
        400,
        { fields: { 'sum(fee)': 'Is too large to be shown exactly' } },
      ])
      expect(await values('fields=count(*)&sum(fee)=>1')).to.deep.equal([{ 'count(*)': 7 }])
    })
  })
})

/** Groups with the given descriptions. */
function both(...descriptions: (string | null)[]): JsonObject[] {
  return descriptions.map((description) => ({ description }))
}
