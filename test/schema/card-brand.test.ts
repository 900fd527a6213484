import { expect } from 'chai'
import { cardBrand, cardType } from '../../src/schema/card-brand.js'

describe('the brand and type of a card', () => {
  const brands: [string, string | undefined][] = [
    ['4242424242424242', 'visa'],
    ['5555555555554444', 'mastercard'],
    ['5099999999999999', undefined],
    ['5600000000000000', undefined],
    ['2220990000000000', undefined],
    ['2221000000000009', 'mastercard'],
    ['2720990000000007', 'mastercard'],
    ['2721000000000000', undefined],
    ['378282246310005', 'american_express'],
    ['341111111111111', 'american_express'],
    ['361111111111111', undefined],
    ['6011111111111117', 'discover'],
    ['6500000000000002', 'discover'],
    ['6430000000000000', undefined],
    ['6440000000000000', 'discover'],
    ['6221260000000000', 'discover'],
    ['6229260000000000', undefined],
    ['6391000000000000', 'opticard'],
    ['6', undefined],
  ]
  for (const [number, brand] of brands) {
    it(`${number} is ${brand ?? 'of an unknown brand'}`, () => {
      expect(cardBrand(number)).to.equal(brand)
    })
  }

  it('are credit unless the documented ranges say otherwise', () => {
    expect(cardType('4242424242424242')).to.equal('credit')
    expect(cardType('4000056655665556')).to.equal('debit')
    expect(cardType('5200828282828210')).to.equal('debit')
    expect(cardType('5105105105105100')).to.equal('prepaid')
    expect(cardType('6391000000000000')).to.equal('gift')
  })
})
