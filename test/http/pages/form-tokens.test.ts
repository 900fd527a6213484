import { createHmac } from 'node:crypto'
import { expect } from 'chai'
import { formTokens } from '../../../src/http/pages/form-tokens.js'

describe('a form token', () => {
  let now = 1_000
  const tokensOf = (key: string) => {
    const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
    return formTokens({ sign, now: () => now, life: 500 })
  }
  const tokens = tokensOf('a key')
  beforeEach(() => {
    now = 1_000
  })

  it('is valid for its visitor and its form, until it expires', () => {
    const token = tokens.make('ada', 'pay')
    expect(tokens.isGood(token, 'ada', 'pay')).to.equal(true)
    expect(tokens.isGood(token, 'eve', 'pay')).to.equal(false)
    expect(tokens.isGood(token, 'ada', 'consent')).to.equal(false)
    now = 1_499
    expect(tokens.isGood(token, 'ada', 'pay')).to.equal(true)
    now = 1_500
    expect(tokens.isGood(token, 'ada', 'pay')).to.equal(false)
  })

  it('cannot be forged or extended without the key', () => {
    const [, signature = ''] = tokens.make('ada', 'pay').split('.')
    for (const token of [undefined, '', '.', `9999.${signature}`, signature, `.${signature}`, '9999.x'])
      expect(tokens.isGood(token, 'ada', 'pay'), token).to.equal(false)
    expect(tokens.isGood(tokensOf('another').make('ada', 'pay'), 'ada', 'pay')).to.equal(false)
  })

  it('is never valid for a visitor without a cookie', () => {
    expect(tokens.isGood(tokens.make('', 'pay'), '', 'pay')).to.equal(false)
  })
})
