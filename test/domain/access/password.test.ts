import { availableParallelism } from 'node:os'
import { expect } from 'chai'
import { hashPassword, isPassword } from '../../../src/domain/access/sign-in/password.js'

const PASSWORD = 'correct horse battery'
/** Hash of `PASSWORD` at a low cost, to save time. */
const CHEAP = 'scrypt$1024$4$1$BwcHBwcHBwcHBwcHBwcHBw$PuaqLNrvHsD47nikIdc4rPo5JRrtrpt4mVidYXpNWRo'
const random = { bytes: (length: number) => new Uint8Array(length).fill(7) }

describe('a password', () => {
  it('is stored as scrypt with its cost, a 16-byte salt and a 32-byte hash', async () => {
    const [kind, N, r, p, salt = '', hash = ''] = (await hashPassword(PASSWORD, random)).split('$')
    expect([kind, N, r, p]).to.deep.equal(['scrypt', '16384', '8', '5'])
    expect(Buffer.from(salt, 'base64url')).to.deep.equal(Buffer.alloc(16, 7))
    expect(Buffer.from(hash, 'base64url')).to.have.length(32)
  })

  it('matches in any Unicode form of its characters, and in no other spelling', async () => {
    const stored = await hashPassword(' ﬁve éclairs ', random)
    expect(await isPassword('five e\u0301clairs', stored)).to.equal(true)
    expect(await isPassword('five eclairs', stored)).to.equal(false)
    expect(await isPassword('', stored)).to.equal(false)
  })

  it('matches a hash of another cost', async () => {
    expect(await isPassword(PASSWORD, CHEAP)).to.equal(true)
    expect(await isPassword('another password', CHEAP)).to.equal(false)
  })

  it('is hashed on all CPU cores but one; 64 more requests wait, and others are refused', async () => {
    const atOnce = Math.max(1, Math.min(2, availableParallelism() - 1))
    const attempts = Array.from({ length: atOnce + 70 }, () => isPassword(PASSWORD, CHEAP))
    const settled = await Promise.allSettled(attempts)
    expect(settled.slice(0, atOnce + 64).map((one) => one.status === 'fulfilled' && one.value)).to.deep.equal(
      Array(atOnce + 64).fill(true),
    )
    expect(
      settled.slice(atOnce + 64).map((one) => one.status === 'rejected' && String(one.reason)),
    ).to.deep.equal(Array(6).fill('ApiError: ServiceUnavailable: Too many sign in just now'))
    expect(await isPassword(PASSWORD, CHEAP)).to.equal(true)
  })

  it('matches no user without a password', async () => {
    expect(await isPassword('', null)).to.equal(false)
    expect(await isPassword(PASSWORD, undefined)).to.equal(false)
  })
})
