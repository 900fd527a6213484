import { expect } from 'chai'
import fc from 'fast-check'
import { packedId, packNames, unpackNames } from '../../../src/engine/store/books/packed-names.js'

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const times = fc.constantFrom('0VbkTGz2', '0VbkTGz3', '00000000', 'zzzzzzzz')
const chances = fc.string({ unit: fc.constantFrom(...letters), minLength: 14, maxLength: 14 })
const digits = fc.tuple(times, chances).map((parts) => parts.join(''))
const hashes = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('base64url'))
const objects = fc.constantFrom('posting', 'transaction', 'kept_answer', 'batch')
const prefixes = fc.constantFrom('', 'txn_', 'pm_', 'a', 'ä')
const others = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '',
    ' ',
    'x'.repeat(300),
    `posting ${'A'.repeat(43)}`,
    `${'y'.repeat(99)} ${'0'.repeat(22)}`,
  ),
)
const ids = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(prefixes, digits).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: hashes },
  others,
)
const names = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(objects, ids).map((parts) => parts.join(' ')) },
  others,
)

describe('the names of a commit in bytes', () => {
  it('come back to the character, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(names, { minLength: 1, maxLength: 20 }), (each) => {
        const text = each.join('\n')
        expect(unpackNames(packNames(text))).to.equal(text)
      }),
    )
  })

  it('have more beginnings than numbers', () => {
    const text = Array.from({ length: 300 }, (_, n) => `kind${n} ${'0'.repeat(22)}`).join('\n')
    expect(unpackNames(packNames(`${text}\n${text}`))).to.equal(`${text}\n${text}`)
  })

  it('hold what an id is looked up by', () => {
    fc.assert(
      fc.property(fc.array(ids, { minLength: 1, maxLength: 10 }), (each) => {
        const packed = packNames(each.map((id) => `transaction ${id}`).join('\n'))
        for (const id of each)
          if (!id.includes('\n')) expect(packed.includes(packedId(id)), id).to.equal(true)
      }),
    )
  })

  it('take 17 bytes for an id and 32 for a hash, and 11 for an id of the same time', () => {
    const sizeOf = (...each: readonly string[]) => packNames(each.join('\n')).length
    const id = 'posting 0VbkTGz2001H5JGGruKBda'
    const later = 'posting 0VbkTGz3001H5JGGruKBda'
    const first = 1 + 2 + 'posting '.length + 17
    expect(sizeOf(id)).to.equal(first)
    expect(sizeOf(id, later)).to.equal(first + 1 + 17)
    expect(sizeOf(id, id)).to.equal(first + 1 + 11)
    expect(sizeOf('kept_answer CIqVEpKiJ0libTVQibf9PxrvMY31MPWxZqS9IIK__lE')).to.equal(3 + 12 + 32)
  })

  it('are none where bytes are cut off, and never fail on any', () => {
    const packed = packNames('posting 0VbkTGz2001H5JGGruKBda\nkept_answer a')
    for (let length = 1; length < packed.length; length++) {
      const text = unpackNames(packed.subarray(0, length))
      expect(text === undefined || text === 'posting 0VbkTGz2001H5JGGruKBda', String(length)).to.equal(true)
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(unpackNames(Buffer.from(bytes))).to.satisfy(
          (text: unknown) => text === undefined || typeof text === 'string',
        )
      }),
    )
  })
})
