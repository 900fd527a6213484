import { expect } from 'chai'
import { type Addresses, addressesOf } from '../../../src/engine/core/read/addresses.js'
import type { Environment } from '../../../src/engine/store/database/store.js'
import type { Vault } from '../../../src/engine/store/vault/vault.js'
import { address } from '../../../src/schema/field.js'
import { onDatabases } from '../../support/databases.js'

const week = address({ page: 'files', days: 7, shows: 'url' })
const weekEnd = address({ page: 'files', days: 7, shows: 'end' })
const forEver = address({ page: 'receipt', shows: 'url' })

onDatabases((open) => {
  describe('an address that needs no key', () => {
    let vault: Vault
    let addresses: Addresses
    before(async () => {
      vault = (await open()).vault
      addresses = made('test')
    })
    const made = (environment: Environment) =>
      addressesOf(() => 'https://pay.example.com', environment, vault)
    const asked = (url: string | null) => {
      const { pathname, searchParams } = new URL(url ?? '')
      const [, page = '', , id = ''] = pathname.split('/')
      const until = searchParams.get('until') ?? undefined
      return { page, id, until, signature: searchParams.get('signature') ?? '' }
    }

    it('begins with the public address and says how long it lasts', () => {
      const url = addresses.show(week, 'att_1', '2026-02-24 15:30:00')
      expect(url).to.match(
        /^https:\/\/pay\.example\.com\/files\/test\/att_1\?until=2026-03-04&signature=[\w-]{43}$/,
      )
      expect(addresses.show(weekEnd, 'att_1', '2026-02-24 15:30:00')).to.equal('2026-03-04 00:00:00')
      expect(addresses.show(forEver, 'rcpt_1', '2026-02-24 15:30:00')).to.match(
        /^https:\/\/pay\.example\.com\/receipt\/test\/rcpt_1\?signature=[\w-]{43}$/,
      )
    })

    it('is short if its object is public to anyone with the id, and changes with the public address', () => {
      let base = 'http://127.0.0.1:4242'
      const moving = addressesOf(() => base, 'test', vault)
      const page = address({ page: 'pay', open: true, shows: 'url' })
      expect(moving.show(page, 'plnk_1', '2026-02-24 00:00:00')).to.equal('http://127.0.0.1:4242/pay/plnk_1')
      base = 'https://pay.example.com/shop'
      expect(moving.show(page, 'plnk_1', '2026-02-24 00:00:00')).to.equal(`${base}/pay/plnk_1`)
    })

    it('stays the same during a day and stays valid until that day ends', () => {
      const url = addresses.show(week, 'att_1', '2026-02-24 00:00:00')
      expect(addresses.show(week, 'att_1', '2026-02-24 23:59:59')).to.equal(url)
      expect(addresses.show(week, 'att_1', '2026-02-25 00:00:00')).to.not.equal(url)
      const isGoodAt = (now: string) => addresses.isGood(asked(url), now)
      expect(
        ['2026-02-24 00:00:00', '2026-03-03 23:59:59', '2026-03-04 00:00:00'].map(isGoodAt),
      ).to.deep.equal([true, true, false])
      const lasting = asked(addresses.show(forEver, 'rcpt_1', '2026-02-24 00:00:00'))
      expect(addresses.isGood(lasting, '2090-01-01 00:00:00')).to.equal(true)
    })

    it('opens only its own object, and only until it expires', () => {
      const now = '2026-02-24 00:00:00'
      const right = asked(addresses.show(week, 'att_1', now))
      expect(addresses.isGood(right, now)).to.equal(true)
      const wrong = [
        { ...right, id: 'att_2' },
        { ...right, page: 'receipt' },
        { ...right, until: '2026-03-05' },
        { ...right, until: undefined },
        { ...right, signature: '' },
        { ...right, signature: `${right.signature}x` },
        { ...right, signature: right.signature.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A')) },
      ]
      for (const other of wrong) expect(addresses.isGood(other, now), JSON.stringify(other)).to.equal(false)
      expect(made('live').isGood(right, now)).to.equal(false)
    })
  })
})
