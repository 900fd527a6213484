import { expect } from 'chai'
import { look } from './look.js'
import type { Secret } from './secret.js'

const card: Secret = { kind: 'number', name: 'card', value: '4539172648503919' }
const ssn: Secret = { kind: 'number', name: 'ssn', value: '571839264' }
const codes: Secret = { kind: 'codes', name: 'codes', values: ['7350', '7351'] }

describe('looking for secrets', () => {
  const found = (content: string | Buffer) => look([{ where: 'x', content }], [card, ssn, codes])

  it('finds a number in any notation', () => {
    const integer = Buffer.alloc(10, 'x')
    integer.writeBigInt64BE(4539172648503919n, 1)
    const forms = [
      'a4539172648503919b',
      '4539 1726 4850 3919',
      '4539-1726-4850-3919',
      Buffer.from('4539172648503919').toString('base64url'),
      Buffer.from('4539172648503919').toString('hex'),
      integer,
    ]
    for (const form of forms) expect(found(form), String(form)).to.deep.equal(['card in x'])
    for (const form of ['571839264', '571-83-9264', '571 83 9264', '57-1839264'])
      expect(found(form), form).to.deep.equal(['ssn in x'])
  })

  it('finds a single code by itself in a text, but in a file only if all codes occur', () => {
    for (const text of ['"7350"', '(1,7351,2)', 'code: 7351'])
      expect(found(text), text).to.deep.equal(['codes in x'])
    for (const text of ['17350', 'x7350', '7350-1', '7.350', '7349'])
      expect(found(text), text).to.deep.equal([])
    expect(found(Buffer.from('a7350bb7351c'))).to.deep.equal(['codes in x'])
    expect(found(Buffer.from('a7350b'))).to.deep.equal([])
  })

  it('ignores masked numbers', () => {
    expect(found('xxxxxxxxxxxx3919, 2030-01-01 00:00:00, xxxxx9264')).to.deep.equal([])
  })
})
