import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import fc from 'fast-check'
import { keyFilePath, makeKeyFile } from '../../../src/engine/store/vault/key-file.js'
import { openVault, type Place, SealBroken, type Vault } from '../../../src/engine/store/vault/vault.js'
import { systemRandom } from '../../../src/platform/random.js'
import { inHome } from '../../support/home.js'

const place: Place = { table: 'payment_methods', column: 'card__card_number', id: 'pm_1' }

describe('the vault', () => {
  const withVault = (work: (vault: Vault, home: string) => void) => () =>
    inHome((home) => {
      makeKeyFile(keyFilePath(home), systemRandom)
      work(openVault(home, systemRandom).forEnvironment('test'), home)
    })

  it(
    'opens any value that it sealed',
    withVault((vault) => {
      fc.assert(
        fc.property(fc.string({ unit: 'grapheme' }), (plain) => {
          expect(vault.open(vault.seal(plain, place), place)).to.equal(plain)
        }),
      )
    }),
  )

  it(
    'reveals no part of a sealed value, and seals the same value differently each time',
    withVault((vault) => {
      const one = vault.seal('4242424242424242', place)
      const two = vault.seal('4242424242424242', place)
      expect(one).to.not.equal(two)
      expect(one).to.match(/^[0-9a-f]{12}\.[\w-]{59}$/)
      // Random digits may contain a shorter part by chance.
      expect(one).to.not.include('42424242')
    }),
  )

  it(
    'refuses a value that was changed at any position',
    withVault((vault) => {
      const sealed = vault.seal('4242424242424242', place)
      for (let at = 0; at < sealed.length; at++) {
        const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
        if (sameBytes(changed, sealed)) continue
        expect(() => vault.open(changed, place), `changed at ${at}`).to.throw(SealBroken)
      }
    }),
  )

  it(
    'refuses a value that was truncated',
    withVault((vault) => {
      const sealed = vault.seal('4242', place)
      for (let length = 0; length < sealed.length - 1; length++)
        expect(() => vault.open(sealed.slice(0, length), place)).to.throw(SealBroken)
    }),
  )

  it(
    'refuses a value that was moved to another row, column or table',
    withVault((vault) => {
      const sealed = vault.seal('4242', place)
      const moves = [
        { ...place, id: 'pm_2' },
        { ...place, column: 'bank_account__account_number' },
        { ...place, table: 'legal_entities' },
      ]
      for (const other of moves)
        expect(() => vault.open(sealed, other)).to.throw(SealBroken, /changed or moved/)
    }),
  )

  it(
    'refuses a value sealed with other row values or in the other environment',
    withVault((vault, home) => {
      const bound = { ...place, boundTo: ['peer', null] }
      const sealed = vault.seal('4242', bound)
      expect(vault.open(sealed, bound)).to.equal('4242')
      for (const boundTo of [['stripe', null], ['peer', ''], ['peer'], []])
        expect(() => vault.open(sealed, { ...place, boundTo })).to.throw(SealBroken, /changed or moved/)
      const live = openVault(home, systemRandom).forEnvironment('live')
      expect(() => live.open(sealed, bound)).to.throw(SealBroken, /changed or moved/)
    }),
  )

  it('refuses a value sealed under a key that is not in the key file', () =>
    inHome((home) =>
      inHome((other) => {
        for (const each of [home, other]) makeKeyFile(keyFilePath(each), systemRandom)
        const sealed = openVault(other, systemRandom).forEnvironment('test').seal('4242', place)
        expect(() => openVault(home, systemRandom).forEnvironment('test').open(sealed, place)).to.throw(
          SealBroken,
          /key \w+ is missing/,
        )
      }),
    ))

  it(
    'opens values sealed under an older key, and seals under the current one',
    withVault((vault, home) => {
      const sealed = vault.seal('4242', place)
      const content = JSON.parse(readFileSync(keyFilePath(home), 'utf8'))
      const added = { ...content.seal, newer: Buffer.alloc(32, 7).toString('base64') }
      writeFileSync(keyFilePath(home), JSON.stringify({ ...content, current: 'newer', seal: added }))
      const rotated = openVault(home, systemRandom).forEnvironment('test')
      expect(rotated.open(sealed, place)).to.equal('4242')
      expect(rotated.seal('4242', place)).to.match(/^newer\./)
      expect(rotated.hash('4242', 'card')).to.equal(vault.hash('4242', 'card'))
    }),
  )

  it(
    'checks for changed keys once per shared transaction',
    withVault((vault, home) => {
      const first = {}
      const second = {}
      const before = vault.forUnitOfWork(first).seal('4242', place)
      const content = JSON.parse(readFileSync(keyFilePath(home), 'utf8'))
      const seal = { ...content.seal, newer: Buffer.alloc(32, 7).toString('base64') }
      writeFileSync(keyFilePath(home), JSON.stringify({ ...content, current: 'newer', seal }))
      expect(vault.forUnitOfWork(first).seal('4242', place).split('.')[0]).to.equal(before.split('.')[0])
      const after = vault.forUnitOfWork(second).seal('4242', place)
      expect(after).to.match(/^newer\./)
      // Values sealed in the meantime by another process can still be opened.
      expect(vault.forUnitOfWork(first).open(after, place)).to.equal('4242')
    }),
  )

  it(
    'gives a value the same hash only for the same purpose, because each purpose has its own key',
    withVault((vault, home) => {
      expect(vault.hash('4242', 'card')).to.equal(openVault(home, systemRandom).hash('4242', 'card'))
      const hashes = [vault.hash('4242', 'card'), vault.hash('4242', 'account'), vault.hash('4243', 'card')]
      expect(new Set(hashes).size).to.equal(3)
      for (const hash of hashes) expect(hash).to.match(/^[\w-]{43}$/)
    }),
  )

  it('opens no key file before a secret is needed', () =>
    inHome((home) => {
      const vault = openVault(home, systemRandom).forEnvironment('test')
      makeKeyFile(keyFilePath(home), systemRandom)
      expect(vault.open(vault.seal('4242', place), place)).to.equal('4242')
    }))

  it('takes its random bytes from the given source', () =>
    inHome((home) => {
      makeKeyFile(keyFilePath(home), systemRandom)
      const vault = openVault(home, { bytes: (length) => new Uint8Array(length) }).forEnvironment('test')
      expect(vault.seal('4242', place)).to.equal(vault.seal('4242', place))
    }))
})

/** Whether two sealed texts have the same bytes: some bits of the last base64 character are unused. */
function sameBytes(one: string, two: string): boolean {
  const bytes = (sealed: string) => Buffer.from(sealed.slice(13), 'base64url')
  return one.slice(0, 13) === two.slice(0, 13) && bytes(one).equals(bytes(two))
}
