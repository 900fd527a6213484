import { expect } from 'chai'
import { type Random, systemRandom } from '../../../src/platform/random.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'

const PASSWORD = 'ten chars!'
const SALT_BYTES = 16
const ID_BYTES = 11

describe('OAuth users', () => {
  onDatabases((open) => {
    let core: TestCore
    let org: string
    let count = 0
    before(async () => {
      core = await openCore(open)
      const body = { name: 'Corner Books', industry: 'books', org_type: 'business' }
      org = idOf(await core.ok('POST', '/orgs', body))
    })

    const user = (more: JsonObject = {}) => ({
      org_id: org,
      email: `user${++count}@example.com`,
      password: PASSWORD,
      ...more,
    })
    const add = async (body: JsonObject) => await core.send('POST', '/admin/oauth_users', body)
    const change = async (id: string, body: JsonObject) =>
      await core.send('PUT', `/admin/oauth_users/${id}`, body)
    const signsIn = async (email: string, password: string) => {
      const oauth = await core.environment.oauth()
      return (await oauth.signIn({ email, password, address: '192.0.2.1', knownBrowser: '' })) !== undefined
    }

    it('have a password of at least ten characters, without blanks around it', async () => {
      const details = { password: 'Must have at least 10 characters' }
      for (const password of ['nine char', '  nine char  ']) {
        expect((await add(user({ password }))).body.details).to.deep.equal(details)
      }
      const { status, body } = await add(user())
      expect(status).to.equal(200)
      expect((await change(idOf(body), { password: 'nine char' })).body.details).to.deep.equal(details)
      expect(await signsIn(String(body.email), PASSWORD)).to.equal(true)
      expect(await signsIn(String(body.email), 'nine char')).to.equal(false)
    })

    it('sign in with the newest password, and their address in any case', async () => {
      const { body } = await add(user({ email: 'Grace@Example.com' }))
      expect(body.email).to.equal('grace@example.com')
      expect(await signsIn(' GRACE@example.com ', PASSWORD)).to.equal(true)
      expect((await change(idOf(body), { password: 'another one' })).status).to.equal(200)
      expect(await signsIn('grace@example.com', PASSWORD)).to.equal(false)
      expect(await signsIn('grace@example.com', 'another one')).to.equal(true)
    })

    it('are created once per idempotency key, with the password hashed before the unit of work', async () => {
      const drawn: number[] = []
      const random: Random = {
        bytes(count) {
          drawn.push(count)
          return systemRandom.bytes(count)
        },
      }
      const hashing = await openCore(open, { random })
      const company = { name: 'Corner Books', industry: 'books', org_type: 'business' }
      const body = user({ org_id: idOf(await hashing.ok('POST', '/orgs', company)) })
      const drawnBy = async (request: JsonObject): Promise<number[]> => {
        drawn.length = 0
        const options = { idempotencyKey: 'grace' }
        expect((await hashing.send('POST', '/admin/oauth_users', request, options)).status).to.equal(200)
        return [...drawn]
      }
      // The salt comes first: ids are drawn within the unit of work.
      const [first, ...ids] = await drawnBy(body)
      expect(first).to.equal(SALT_BYTES)
      expect(new Set(ids)).to.deep.equal(new Set([ID_BYTES]))
      expect(await drawnBy(body)).to.deep.equal([SALT_BYTES])
    })

    it('keep the password when other attributes change', async () => {
      const { body } = await add(user())
      const email = `renamed${count}@example.com`
      expect((await change(idOf(body), { name: 'Grace H.', email })).body).to.include({
        name: 'Grace H.',
        email,
      })
      expect(await signsIn(email, PASSWORD)).to.equal(true)
      expect(await signsIn(String(body.email), PASSWORD)).to.equal(false)
    })

    it('have a unique address, which can be sent back unchanged', async () => {
      const one = await add(user())
      const other = await add(user())
      const taken = { email: String(one.body.email).toUpperCase() }
      const details = { email: 'There is a user with it already' }
      expect((await add(user(taken))).body.details).to.deep.equal(details)
      expect((await change(idOf(other.body), taken)).body.details).to.deep.equal(details)
      expect((await change(idOf(one.body), taken)).body.email).to.equal(one.body.email)
    })

    it('can sign in again after a lock when they get a new password', async () => {
      const { body } = await add(user())
      const email = String(body.email)
      for (let wrong = 0; wrong < 5; wrong++) await signsIn(email, 'a wrong password')
      expect(await signsIn(email, PASSWORD)).to.equal(false)
      await change(idOf(body), { password: PASSWORD })
      expect(await signsIn(email, PASSWORD)).to.equal(true)
    })

    describe('who sign up', () => {
      const signUp = async (input: JsonObject) => {
        const oauth = await core.environment.oauth()
        return await oauth.signedIn((await oauth.signUp(input)).session)
      }
      const filled = (more: JsonObject = {}) => ({
        business: 'Harbour Books',
        industry: 'books',
        name: 'Ada',
        email: `ada${++count}@example.com`,
        password: PASSWORD,
        ...more,
      })

      it('get an organization with one incomplete account as its primary one', async () => {
        const input = filled()
        const who = await signUp(input)
        expect(who).to.deep.include({ email: input.email, orgName: 'Harbour Books' })
        const [account, ...more] = who?.accounts ?? []
        expect(account?.name).to.equal('Harbour Books')
        expect(more).to.deep.equal([])
        expect(await core.ok('GET', `/orgs/${who?.orgId}`)).to.deep.include({
          name: 'Harbour Books',
          industry: 'books',
          org_type: 'business',
          primary_processing_id: account?.id,
        })
        const made = await core.ok('GET', `/processing_accounts/${account?.id}`)
        expect(made).to.deep.include({ status: 'incomplete', parent_org_id: who?.orgId })
        expect(made).to.have.nested.property('processing.industry', 'books')
        const query = `email=${input.email}`
        const [stored] = valuesOf(await core.ok('GET', '/admin/oauth_users', undefined, { query }))
        expect(stored).to.include({ name: 'Ada', org_id: who?.orgId })
      })

      it('are locked after five wrong passwords, like other users', async () => {
        const { email } = filled()
        await signUp({ ...filled(), email })
        for (let wrong = 0; wrong < 5; wrong++) await signsIn(email, 'a wrong password')
        expect(await signsIn(email, PASSWORD)).to.equal(false)
      })

      it('have their inputs limited in length', async () => {
        const long = 'x'.repeat(100)
        const who = await signUp(filled({ business: long, industry: long, name: long }))
        expect(who?.orgName).to.equal(long)
        for (const name of ['business', 'industry', 'name'])
          expect(await refusalOf(signUp(filled({ [name]: `${long}x` })))).to.have.property(name)
        expect(await refusalOf(signUp(filled({ password: 'x'.repeat(201) })))).to.have.property('password')
        expect((await signUp(filled({ password: 'x'.repeat(200) })))?.email).to.be.a('string')
      })

      it('see which attributes are missing', async () => {
        const required = {
          business: 'Required',
          email: 'Required',
          industry: 'Required',
          password: 'Required',
        }
        expect(await refusalOf(signUp({}))).to.deep.equal(required)
      })
    })
  })
})

/** The details of a refusal. */
async function refusalOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'details' in error) return error.details
    throw error
  }
}
