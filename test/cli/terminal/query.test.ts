import { expect } from 'chai'
import { UsageError } from '../../../src/cli/terminal/failure/failure.js'
import { attributeNames, wherePair } from '../../../src/cli/terminal/input/query-text.js'
import { shapeOf } from '../../../src/cli/terminal/input/shape.js'
import { resources } from '../../../src/resources/resource-table.js'
import { registryOf } from '../../../src/schema/registry.js'

const shape = shapeOf(registryOf(resources), resources.transaction)
const now = Date.UTC(2025, 2, 15)

describe('filters on the command line', () => {
  const pairs: readonly (readonly [text: string, name: string, value: string])[] = [
    ['amount=>100', 'amount', '>100'],
    ['amount=>=100', 'amount', '>=100'],
    ['amount=>1,000', 'amount', '>1000'],
    ['amount=$1,234.50|1,000,000', 'amount', '1234.50|1000000'],
    ['description=1,000', 'description', '1,000'],
    ['status=authorized|processed', 'status', 'authorized|processed'],
    ['description=?*a=b*', 'description', '?*a=b*'],
    ['description=', 'description', ''],
    ['payment_method.card.card_brand=visa', 'payment_method[card][card_brand]', 'visa'],
    ['payment_method[type]=card', 'payment_method[type]', 'card'],
    ['created_at=>2d', 'created_at', '>2025-03-13'],
    ['created_at=<=yesterday|>today', 'created_at', '<=2025-03-14|>2025-03-15'],
    ['created_at=2025-01-02', 'created_at', '2025-01-02'],
    ['description=2d', 'description', '2d'],
    ['count(*)=>1', 'count(*)', '>1'],
    ['sum(order_details.incl_costs.tax)=>1', 'sum(order_details[incl_costs][tax])', '>1'],
    ['year(customer[created_at])=2026', 'year(customer[created_at])', '2026'],
  ]
  for (const [text, name, value] of pairs) {
    it(`parse ${text}`, () => {
      expect(wherePair(text, shape, now)).to.deep.equal([name, value])
    })
  }

  it('refuse an invalid filter', () => {
    expect(() => wherePair('amount', shape, now)).to.throw(UsageError)
    expect(() => wherePair('=5', shape, now)).to.throw(UsageError)
  })

  it('use the names of the API', () => {
    expect(attributeNames('*, ledger,payment_method.card.expiry')).to.equal(
      '*,ledger,payment_method[card][expiry]',
    )
    expect(attributeNames('-card.expiry,desc(amount),count(*)')).to.equal(
      '-card[expiry],desc(amount),count(*)',
    )
    expect(attributeNames('-sum(a.b),desc(year(c.d)),max(e[f])')).to.equal(
      '-sum(a[b]),desc(year(c[d])),max(e[f])',
    )
  })
})
