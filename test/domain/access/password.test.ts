import { expect } from 'chai'
import { hashPassword, isPassword } from '../../../src/domain/access/users/password.js'

const PASSWORD = 'correct horse battery'
const random = { bytes: (length: number) => new Uint8Array(length).fill(7) }

describe('a password', () => {
  it('is stored as scrypt with its cost, a salt of 16 bytes and a hash of 32', async () => {
    const [kind, N, r, p, salt = '', hash = ''] = (await hashPassword(PASSWORD, random)).split('$')
    expect([kind, N, r, p]).to.deep.equal(['scrypt', '16384', '8', '5'])
    expect(Buffer.from(salt, 'base64url')).to.deep.equal(Buffer.alloc(16, 7))
    expect(Buffer.from(hash, 'base64url')).to.have.length(32)
  })

  it('matches however its characters are typed, and nothing else does', async () => {
    const stored = await hashPassword(' ﬁve éclairs ', random)
    expect(await isPassword('five e\u0301clairs', stored)).to.equal(true)
    expect(await isPassword('five eclairs', stored)).to.equal(false)
    expect(await isPassword('', stored)).to.equal(false)
  })

  it('matches a hash that was made at another cost', async () => {
    const cheap = 'scrypt$1024$4$1$BwcHBwcHBwcHBwcHBwcHBw$PuaqLNrvHsD47nikIdc4rPo5JRrtrpt4mVidYXpNWRo'
    expect(await isPassword(PASSWORD, cheap)).to.equal(true)
    expect(await isPassword('another password', cheap)).to.equal(false)
  })

  it('matches no user without one', async () => {
    expect(await isPassword('', null)).to.equal(false)
    expect(await isPassword(PASSWORD, undefined)).to.equal(false)
  })
})
