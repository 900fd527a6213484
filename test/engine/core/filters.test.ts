import { expect } from 'chai'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, card, makeCustomer, makeProcessing, pay } from '../../support/examples.js'

onDatabases('sql', (open) => {
  describe('filters', () => {
    let core: TestCore
    const names = new Map<string, string>()

    before(async () => {
      core = await openCore(open)
      const shop = await makeProcessing(core)
      const ada = await makeCustomer(core, shop, 'Ada 100% Park')
      const make = async (name: string, amount: number, more = {}) =>
        names.set(idOf(await pay(core, shop, amount, { order_number: name, ...more })), name)
      await make('a', 10, { customer_id: ada, description: 'Blue_Book' })
      await make('b', 20, {
        payment_method: card('5555 5555 5555 4444'),
        attrs: { shelf: { row: 7 }, tags: ['x'] },
      })
      await make('c', 20.5, { status: 'authorized', description: 'red pen' })
      await make('d', 1250, {
        payment_method: bankAccount('111222333'),
        shipping_details: { postal_code: '10001', city: 'Rome' },
      })
    })

    /** The order numbers of the transactions that a query finds, sorted. */
    const found = async (query: string) => {
      const list = valuesOf(await core.ok('GET', '/transactions', undefined, { query }))
      return list
        .map((transaction) => names.get(idOf(transaction)))
        .sort()
        .join('')
    }

    const cases: readonly [query: string, orders: string][] = [
      ['amount=20', 'b'],
      ['amount=20.00', 'b'],
      ['amount=!20', 'acd'],
      ['amount=<20', 'a'],
      ['amount=<=20', 'ab'],
      ['amount=>20', 'cd'],
      ['amount=>=20.5', 'cd'],
      ['amount=<15|>1000', 'ad'],
      ['amount=10|20', 'ab'],
      ['amount=>10&amount=<1000', 'bc'],
      ['amount[0]=>10&amount[1]=<1000', 'bc'],
      ['amount=!10&amount=>=10', 'bcd'],
      ['status=processed', 'abd'],
      ['status=authorized|voided', 'c'],
      ['status=!authorized', 'abd'],
      ['description=?*blue_*', 'a'],
      ['description=?*BLUE', 'a'],
      ['description=?*%', ''],
      ['description=', 'bd'],
      ['description=!', 'ac'],
      ['description=!red pen', 'abd'],
      ['order_number=>b', 'cd'],
      ['object=transaction', 'abcd'],
      ['object=!transaction', ''],
      ['created_at=>2001-01-01', 'abcd'],
      ['created_at=<2001-01-01 12:00:00', ''],
      ['processed_date=', 'c'],
      ['payment_method[type]=card', 'abc'],
      ['payment_method[type]=!card', 'd'],
      ['payment_method[card][card_brand]=visa', 'ac'],
      ['payment_method[card][card_brand]=visa|mastercard', 'abc'],
      ['payment_method[card][card_number]=4242 4242 4242 4242', 'ac'],
      ['payment_method[card][card_number]=!4242424242424242&payment_method[type]=card', 'b'],
      ['payment_method[bank_account][account_number]=111222333', 'd'],
      ['payment_method[card][expiry]=12/39', 'abc'],
      ['payment_method[keep_active]=true', 'abcd'],
      ['payment_method[keep_active]=!true', ''],
      ['payment_method[description]=?*mastercard', 'b'],
      ['customer=', 'bcd'],
      ['customer=null', 'bcd'],
      ['customer=!null', 'a'],
      ['customer=!cust_none', 'abcd'],
      ['customer[name]=?*100%*', 'a'],
      ['customer[name]=?*100_', ''],
      ['processing[processing][industry]=books', 'abcd'],
      ['processing[processing][settings][credit_trans_rate]=2.9', 'abcd'],
      ['processing[processing][settings][credit_trans_rate]=>2.9', ''],
      ['processing[legal_entity][owners][0][full_name]=Ada Park', 'abcd'],
      ['processing[legal_entity][owners][ownership]=<60', ''],
      ['processing[payment_methods][0][type]=bank_account', 'abcd'],
      ['shipping_details[city]=Rome', 'd'],
      ['shipping_details[city]=!Rome', 'abc'],
      ['attrs[shelf][row]=7', 'b'],
      ['attrs[tags][0]=x', 'b'],
      ['attrs[shelf][row]=8', ''],
      ['attrs[shelf][row]=7&attrs=x', ''],
      ['attrs[shelf][row]=7&attrs={"shelf":{"row":7},"tags":["x"]}', 'b'],
      ['amount=20&status=authorized', ''],
    ]
    for (const [query, orders] of cases) {
      it(`${query} finds ${orders || 'no transaction'}`, async () => {
        expect(await found(query)).to.equal(orders)
      })
    }

    const refused: readonly [query: string, attribute: string, message: string][] = [
      ['colour=red', '[colour]', 'Unknown attribute'],
      ['payment_method[colour]=red', '[payment_method][colour]', 'Unknown attribute'],
      ['payment_method[card][colour]=red', '[payment_method][card][colour]', 'Unknown attribute'],
      ['customer[processing][colour]=red', '[customer][processing][colour]', 'Unknown attribute'],
      ['amount[x]=1', '[amount][x]', 'Unknown attribute'],
      ['card_code=123', '[card_code]', 'Unknown attribute'],
      ['amount=ten', '[amount]', 'Must be valid number'],
      ['amount=>', '[amount]', 'Must have a value'],
      ['status=paid', '[status]', 'Must be one of'],
      ['created_at=>yesterday', '[created_at]', 'Must be valid datetime'],
      ['amount=?*1', '[amount]', 'Cannot be filtered with ?*'],
      [
        'payment_method[card][card_number]=>4242424242424242',
        '[payment_method][card][card_number]',
        'Cannot be filtered with >',
      ],
      [
        'payment_method[card][card_number]=?*4242',
        '[payment_method][card][card_number]',
        'Cannot be filtered with ?*',
      ],
      ['payment_method[keep_active]=<true', '[payment_method][keep_active]', 'Cannot be filtered with <'],
      ['order_by=colour', '[order_by][colour]', 'Unknown attribute'],
      ['order_by=ledger[amount]', '[order_by][ledger[amount]]', 'Cannot be ordered by: it leads into a list'],
      ['fields=id,colour', '[fields][colour]', 'Unknown attribute'],
      ['fields=payment_method[colour]', '[fields][payment_method][colour]', 'Unknown attribute'],
      ['mode=all', '[mode]', 'Must be one of: query'],
      ['description=a\0b', '[description]', 'Must be valid string'],
      ['description=?*\ud800', '[description]', 'Must be valid string'],
      ['attrs[x]=\0', '[attrs][x]', 'Must be valid string'],
      ['attrs[\0]=x', '[attrs][\0]', 'Unknown attribute'],
    ]
    for (const [query, attribute, message] of refused) {
      it(`${JSON.stringify(query)} is refused and names ${JSON.stringify(attribute)}`, async () => {
        const { status, body } = await core.send('GET', '/transactions', undefined, { query })
        expect([status, body.error_type, body.error_description]).to.deep.equal([
          400,
          'InvalidAttributes',
          attribute,
        ])
        expect(JSON.stringify(body.details)).to.contain(message)
      })
    }

    it('sort by one or several attributes, also of related objects; ids break ties', async () => {
      const orders = async (query: string) => {
        const list = valuesOf(await core.ok('GET', '/transactions', undefined, { query }))
        return list.map((transaction) => names.get(idOf(transaction))).join('')
      }
      expect(await orders('order_by=amount')).to.equal('abcd')
      expect(await orders('order_by=-amount')).to.equal('dcba')
      expect(await orders('order_by=desc(amount)')).to.equal('dcba')
      expect(await orders('order_by=asc(status),desc(amount)')).to.equal('cdba')
      expect(await orders('order_by=status&order_by=amount')).to.equal('cabd')
      expect(await orders('order_by=description')).to.equal('bdac')
      expect(await orders('order_by=-description')).to.equal('cadb')
      expect(await orders('order_by=payment_method[type],amount')).to.equal('dabc')
      expect(await orders('')).to.equal('dcba')
    })

    it('page through results, with the next page and the count on request', async () => {
      const first = await core.send('GET', '/transactions', undefined, {
        query: 'limit=3&order_by=amount',
        count: true,
      })
      expect(valuesOf(first.body).length).to.equal(3)
      const { Link, ...more } = first.headers
      expect(Link).to.match(/^<\/transactions\?order_by=amount&limit=3&after=[\w-]+\.[\w-]+>; rel="next"$/)
      expect(more).to.deep.equal({ 'X-Total-Count': '4' })
      const again = await core.send('GET', '//transactions/', undefined, { query: 'limit=3' })
      const third = valuesOf(again.body)[2]?.id
      expect(again.headers.Link).to.equal(`</transactions?limit=3&after=${third}>; rel="next"`)
      const last = await core.send('GET', '/transactions', undefined, {
        query: 'limit=3&offset=3&order_by=amount',
      })
      expect([valuesOf(last.body).length, last.headers]).to.deep.equal([1, {}])
      expect(Object.keys(last.body)).to.deep.equal(['object', 'values'])
    })

    for (const query of ['limit=0', 'limit=1001', 'limit=-1', 'limit=x', 'offset=-1', 'offset=1.5']) {
      it(`${query} is refused as invalid paging`, async () => {
        const { status, body } = await core.send('GET', '/transactions', undefined, { query })
        expect([status, body.error_type]).to.deep.equal([400, 'BadRequest'])
      })
    }

    it('show exactly the requested fields', async () => {
      const one = async (fields: string) =>
        valuesOf(
          await core.ok('GET', '/transactions', undefined, { query: `order_number=b&fields=${fields}` }),
        )[0]
      expect(await one('amount')).to.deep.equal({ amount: 20 })
      expect(await one('payment_method[card][card_brand],amount,amount')).to.deep.equal({
        payment_method: { card: { card_brand: 'mastercard' } },
        amount: 20,
      })
      expect(await one('attrs,ledger')).to.deep.equal({
        attrs: { shelf: { row: 7 }, tags: ['x'] },
        ledger: [],
      })
      const whole = await one('*,conv_fee,customer[name]')
      expect(whole).to.include.keys('id', 'object', 'fee', 'payment_method', 'conv_fee', 'customer')
      expect(whole).not.to.include.keys('ledger', 'descriptor', 'card_code')
    })
  })
})
