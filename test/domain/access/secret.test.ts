import { expect } from 'chai'
import fc from 'fast-check'
import { formOf, hintOf, makeKey } from '../../../src/domain/access/keys/secret.js'

describe('secret keys', () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })

  it('begin with their environment and kind, whatever the random bytes', () => {
    const environments = fc.constantFrom('test', 'live')
    const kinds = fc.constantFrom('secret', 'client')
    fc.assert(
      fc.property(bytes, environments, kinds, (chance, environment, kind) => {
        const key = makeKey(environment, kind, { bytes: () => chance })
        expect(key.replace(/\w{43}$/, '')).to.equal(`${environment === 'test' ? 'test_' : ''}${kind}_key_`)
        expect(formOf(key)).to.deep.equal({ environment, kind })
      }),
    )
  })

  it('contain all 256 bits of their random bytes', () => {
    const keys = (chance: Uint8Array) => makeKey('test', 'secret', { bytes: () => chance })
    const flipped = (chance: Uint8Array, bit: number) =>
      chance.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
    fc.assert(
      fc.property(bytes, fc.nat(255), (chance, bit) => {
        expect(keys(flipped(chance, bit))).to.not.equal(keys(chance))
      }),
    )
    expect(keys(new Uint8Array(32).fill(255))).to.match(/^test_secret_key_[0-9A-Za-z]{43}$/)
  })

  it('consist of 32 random bytes', () => {
    const requested: number[] = []
    const random = { bytes: (length: number) => new Uint8Array(requested.push(length) && length) }
    makeKey('live', 'secret', random)
    expect(requested).to.deep.equal([32])
  })

  it('are recognized by their form alone', () => {
    const key = makeKey('live', 'secret', { bytes: () => new Uint8Array(32).fill(7) })
    for (const text of [
      '',
      'secret_key_',
      key.slice(1),
      `${key}0`,
      `${key.slice(0, -1)}-`,
      `live_${key}`,
      `${key}\n`,
    ]) {
      expect(formOf(text), text).to.equal(undefined)
    }
  })

  it('are shown as a hint that reveals little', () => {
    const key = makeKey('test', 'secret', { bytes: () => new Uint8Array(32).fill(200) })
    const hint = hintOf(key)
    expect(hint).to.match(/^test_secret_key_\w{3}…\w{4}$/)
    expect(key.startsWith(hint.slice(0, -5)) && key.endsWith(hint.slice(-4))).to.equal(true)
  })
})
