import { expect } from 'chai'
import { ApiError } from '../../../src/engine/core/request/api-error.js'
import { LIMITS } from '../../../src/http/api/http-limits.js'
import { parseForm } from '../../../src/http/api/parse-form.js'

const read = (text: string) => parseForm(text, LIMITS)

describe('a form body', () => {
  it('is nested by brackets', () => {
    expect(read('amount=10&payment_method[type]=card&payment_method[card][expiry]=05%2F35')).to.deep.equal({
      amount: '10',
      payment_method: { type: 'card', card: { expiry: '05/35' } },
    })
  })

  it('makes lists of indexes, without gaps and in order', () => {
    expect(read('ledger[1][amount]=2&ledger[0][amount]=1')).to.deep.equal({
      ledger: [{ amount: '1' }, { amount: '2' }],
    })
    expect(read('ids[]=a&ids[]=b')).to.deep.equal({ ids: ['a', 'b'] })
    expect(read('ids[2]=a&ids[]=b')).to.deep.equal({ ids: ['a', 'b'] })
    expect(read('ids[999999999]=a')).to.deep.equal({ ids: ['a'] })
    expect(read('ids[99999999999999999999]=a')).to.deep.equal({ ids: { '99999999999999999999': 'a' } })
  })

  it('accepts a list of objects in every notation', () => {
    const values = [{ name: 'A' }, { name: 'B' }]
    expect(read('[0][name]=A&[1][name]=B')).to.deep.equal(values)
    expect(read('[0]name=A&[1]name=B')).to.deep.equal(values)
    expect(read('object=list&[0][name]=A&[1][name]=B')).to.deep.equal({ object: 'list', values })
    expect(read('object=list&values[0][name]=A&values[1][name]=B')).to.deep.equal({ object: 'list', values })
  })

  it('keeps every value of a repeated name', () => {
    expect(read('a=1&a=2')).to.deep.equal({ a: ['1', '2'] })
  })

  it('refuses invalid names', () => {
    for (const text of ['a[b=1', 'a]b=1', '=1', 'a[b]]=1', 'a=1&a[b]=2', 'a[b]=2&a=1']) {
      expect(() => read(text), text).to.throw(ApiError)
    }
  })

  it('refuses names that reach prototypes', () => {
    for (const text of ['__proto__[a]=1', 'a[__proto__][b]=1', 'a[constructor][prototype][b]=1']) {
      expect(() => read(text), text).to.throw(ApiError, 'forbidden attribute')
    }
    expect(Object.hasOwn(Object.prototype, 'a')).to.equal(false)
  })

  it('refuses too deep nesting and too many fields', () => {
    expect(() => read(`a${'[b]'.repeat(LIMITS.depth)}=1`)).to.throw(ApiError, 'nested deeper')
    expect(() => read('a=1&'.repeat(LIMITS.fields + 1))).to.throw(ApiError, 'At most')
  })

  it('is parsed in one pass even with a hostile name of a megabyte', () => {
    expect(() => read(`${'a'.repeat(1_000_000)}]=1`)).to.throw(ApiError, 'brackets')
  })
})
