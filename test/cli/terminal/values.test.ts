import { expect } from 'chai'
import { UsageError } from '../../../src/cli/terminal/failure/failure.js'
import {
  isDateWord,
  readDateText,
  readIntegerText,
  readJsonText,
  readMoneyText,
  readNumberText,
  readProxiesText,
} from '../../../src/cli/terminal/input/typed-values.js'

describe('values of flags', () => {
  it('include money in common notations', () => {
    const read = ['12.5', '12.50', '1,250.00', '1250', '.5', '-3.10', ' 7 ', '99,999,999.99'].map(
      readMoneyText,
    )
    expect(read).to.deep.equal([12.5, 12.5, 1250, 1250, 0.5, -3.1, 7, 99_999_999.99])
  })

  for (const wrong of [
    '12.505',
    '12.500',
    '1,25',
    '1,2500',
    '12,5',
    '',
    '.',
    '1e3',
    'NaN',
    '€5',
    '1 250',
    '0x10',
  ]) {
    it(`refuse "${wrong}" as money`, () => {
      expect(() => readMoneyText(wrong)).to.throw(UsageError)
    })
  }

  it('include numbers', () => {
    expect([readNumberText('2.875'), readNumberText('-1'), readIntegerText(' 12 ')]).to.deep.equal([
      2.875, -1, 12,
    ])
    for (const wrong of ['', 'x', '1,5', 'Infinity', '0x1'])
      expect(() => readNumberText(wrong)).to.throw(UsageError)
    for (const wrong of ['', '1.5', '1e3']) expect(() => readIntegerText(wrong)).to.throw(UsageError)
  })

  it('include dates relative to now, in UTC; other dates stay unchanged', () => {
    const now = Date.UTC(2025, 2, 1, 0, 30)
    const read = ['today', 'yesterday', '2d', '2w', '2024-02-29', 'soon'].map((text) =>
      readDateText(text, now),
    )
    expect(read).to.deep.equal(['2025-03-01', '2025-02-28', '2025-02-27', '2025-02-15', '2024-02-29', 'soon'])
  })

  it('refuse grouped amounts that begin with a zero, which may be decimals', () => {
    for (const text of ['0,500', '012,500']) expect(() => readMoneyText(text), text).to.throw(UsageError)
  })

  it('include times in common notations', () => {
    const now = Date.UTC(2025, 2, 1, 0, 30)
    const read = (text: string) => [isDateWord(text), readDateText(text, now)]
    for (const [text, moment] of [
      ['now', '2025-03-01 00:30:00'],
      ['3h', '2025-02-28 21:30:00'],
      ['yesterday 17:00', '2025-02-28 17:00'],
      ['Today 9:30 -05:00', '2025-03-01 9:30 -05:00'],
      ['2d 08:15:30', '2025-02-27 08:15:30'],
      ['last week', '2025-02-17'],
      ['last month', '2025-02-01'],
    ] as const)
      expect(read(text), text).to.deep.equal([true, moment])
    for (const text of ['2025-03-01T10:00:00+02:00', 'next week', '17:00', '3 h'])
      expect(read(text), text).to.deep.equal([false, text])
  })

  it('refuse JSON that serve would refuse: inherited property names and very deep nesting', () => {
    for (const name of ['__proto__', 'constructor', 'prototype'])
      expect(() => readJsonText(`{"attrs":[{"${name}":{"x":1}}]}`, 'data.json')).to.throw(
        UsageError,
        `No attribute may be called ${name}, as in data.json`,
      )
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(readJsonText(nested(32), 'x')).to.be.an('array')
    for (const levels of [33, 400_000])
      expect(() => readJsonText(nested(levels), 'data.json')).to.throw(
        UsageError,
        'Expected at most 32 levels in data.json',
      )
  })

  it('report the position of a JSON error', () => {
    expect(readJsonText('{"a":[1]}', 'x')).to.deep.equal({ a: [1] })
    expect(() => readJsonText('{', 'data.json')).to.throw(UsageError, /^Expected JSON in data\.json: /)
  })
})

describe('proxies on the command line', () => {
  it('are names, addresses and networks', () => {
    for (const text of [
      'loopback',
      '10.0.0.1',
      '10.0.0.0/8',
      '::1',
      '2001:db8::/32',
      'uniquelocal,192.0.2.1',
    ])
      expect(readProxiesText(text)).to.equal(text)
    expect(readProxiesText(' loopback , 10.0.0.0/8')).to.equal('loopback,10.0.0.0/8')
  })

  it('are refused in any other form', () => {
    const wrong = ['', 'true', '1', 'proxy.example', '10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/8/8', 'loopback,']
    for (const text of [...wrong, 'loopback/8', 'fe80::1%eth0', '::/129'])
      expect(() => readProxiesText(text), text).to.throw(UsageError, 'such as 10.0.0.0/8')
  })
})
