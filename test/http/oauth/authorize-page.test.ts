import { expect } from 'chai'
import { signInPage } from '../../../src/http/oauth/sign-in-html.js'
import { Visitor } from '../../support/consent.js'
import { onSqlite } from '../../support/databases.js'
import { httpService } from '../../support/http.js'
import { type OauthWorld, ORIGIN, oauthWorld, PASSWORD, REDIRECT } from '../../support/oauth.js'
import { expectHtml } from '../../support/strict-html.js'

const WRONG = { password: 'not the password' }

onSqlite((open) => {
  describe('the OAuth authorization page', () => {
    const clock = { ahead: 0, now: () => Date.UTC(2027, 0, 1) + clock.ahead }
    let world: OauthWorld
    let visitor: Visitor
    before(async () => {
      const service = await httpService(await open.migrated(), { clock }, { trustProxy: 'loopback' })
      open.atEnd(() => service.stop())
      world = await oauthWorld(service)
    })
    beforeEach(() => {
      visitor = new Visitor()
    })

    const addressWith = (more: Readonly<Record<string, string>> = {}) => {
      const { service, clientKey, clientId } = world
      const asked = { client_key: clientKey, org_id: clientId, scope: 'org', redirect_uri: REDIRECT, ...more }
      return `${service.address}/oauth/authorize?${new URLSearchParams(asked)}`
    }
    const signIn = async (fields: Readonly<Record<string, string>> = {}, address = addressWith()) => {
      const page = await (await visitor.get(address)).text()
      return await visitor.send(page, address, { email: world.email, password: PASSWORD, ...fields })
    }
    const consent = async () => {
      await signIn()
      return await (await visitor.get(addressWith())).text()
    }

    it('allows no foreign content, no frame, and only the redirect address as a form target', async () => {
      const { headers } = await visitor.get(addressWith())
      expect(headers.get('content-security-policy'))
        .to.include("default-src 'none'")
        .and.include("frame-ancestors 'none'")
        .and.include("form-action 'self' http://127.0.0.1;")
      expect(headers.get('set-cookie')).to.include('HttpOnly').and.include('SameSite=Lax')
      expect(headers.get('cache-control')).to.equal('no-store')
    })

    it('shows the application and the environment on every form', async () => {
      const { host } = new URL(world.service.address)
      const pages = [
        await (await visitor.get(addressWith())).text(),
        await (await visitor.get(addressWith({ view: 'sign-up' }))).text(),
        await consent(),
      ]
      for (const page of pages)
        expect(page)
          .to.include(`<header><span>payctl</span> <span class="faint">${host}</span></header>`)
          .and.include('This is the test environment: no money moves here.')
          .and.match(/<title>[^<]* at [^<]* \[test\]<\/title>/)
    })

    it('does not mention test in live', () => {
      const { text } = signInPage(
        {
          here: 'authorize?scope=org',
          token: 'token',
          host: 'pay.example',
          environment: 'live',
          application: 'Shop',
          isPopUp: false,
          formTargets: [],
          other: undefined,
        },
        {},
      )
      expectHtml(text)
      expect(text).to.include('<title>Sign in at pay.example</title>').and.not.include('test environment')
    })

    it('keeps the session in a cookie that no script can read', async () => {
      const { status, headers } = await signIn()
      expect(status).to.equal(303)
      expect(headers.get('set-cookie'))
        .to.match(/^payctl_session_test=user_/)
        .and.include('HttpOnly')
        .and.include('SameSite=Lax')
      expect(await (await visitor.get(addressWith())).text()).to.include('Signed in as grace@example.com')
    })

    it('refuses a session that is forged, ended, or older than the password', async () => {
      const asked = async (session: string) => {
        const headers = { cookie: `payctl_session_test=${session}` }
        return (await (await fetch(addressWith(), { headers })).text()).includes('Signed in as')
      }
      const sessionOf = async () =>
        /session_test=([^;]*)/.exec((await signIn()).headers.get('set-cookie') ?? '')?.[1] ?? ''
      const session = await sessionOf()
      expect(await asked(session)).to.equal(true)
      expect(await asked(`${session.slice(0, -2)}aa`)).to.equal(false)
      const [id, until = '', signed] = session.split('.')
      expect(await asked(`${id}.${Number(until) + 1}.${signed}`)).to.equal(false)
      const key = await world.service.key({ manage: true })
      await world.service.ask(key, 'PUT', `/admin/oauth_users/${id}`, { password: PASSWORD })
      expect(await asked(session)).to.equal(false)
      const later = await sessionOf()
      clock.ahead += 3_600_000
      expect(await asked(later)).to.equal(false)
    })

    it('works in a pop-up of the registered origin, and of no other', async () => {
      const from = (origin: string) => {
        const address = new URL(addressWith({ origin }))
        address.searchParams.delete('redirect_uri')
        return visitor.get(address.href)
      }
      const opened = await from(ORIGIN)
      expect(opened.status).to.equal(200)
      expect(await opened.text()).to.include('Sign in')
      const refused = await from('http://127.0.0.2')
      expect(refused.status).to.equal(400)
      expect(await refused.text()).to.include(
        'The application has not registered the origin http://127.0.0.2',
      )
    })

    it('accepts only forms from the page itself', async () => {
      const page = await consent()
      const forged = await new Visitor().send(page, addressWith(), { do: 'allow' })
      expect(forged.status).to.equal(403)
      const changed = await visitor.send(page.replace(/value="\d/, 'value="9'), addressWith(), {
        do: 'allow',
      })
      expect(changed.status).to.equal(403)
      clock.ahead += 3_600_000
      expect((await visitor.send(page, addressWith(), { do: 'allow' })).status).to.equal(403)
    })

    it('asks for consent even if the user was signed in before', async () => {
      const page = await consent()
      await visitor.send(page, addressWith(), { do: 'sign_out' })
      expect((await visitor.send(page, addressWith(), { do: 'allow' })).status).to.equal(403)
    })

    it('refuses an address for 15 minutes after five wrong passwords, with the answer for unknown users', async () => {
      for (let count = 0; count < 5; count++) expect((await signIn(WRONG)).status).to.equal(400)
      const refused = await signIn()
      const unknown = await signIn({ email: 'nobody@example.com' })
      expect([refused.status, unknown.status]).to.deep.equal([400, 400])
      const withoutNames = async (response: Response) =>
        /role="alert"><p>([^<]*)/.exec(await response.text())?.[1]
      expect(await withoutNames(refused)).to.equal(await withoutNames(unknown))
      clock.ahead += 15 * 60_000
      expect((await signIn()).status).to.equal(303)
    })

    it('keeps other addresses and known browsers open to a user, however long a stranger guesses', async () => {
      expect((await signIn()).status).to.equal(303)
      const known = visitor
      const page = await consent()
      await visitor.send(page, addressWith(), { do: 'sign_out' })
      for (let round = 0; round < 3; round++) {
        visitor = new Visitor('203.0.113.7')
        for (let count = 0; count < 6; count++) expect((await signIn(WRONG)).status).to.equal(400)
        expect((await signIn()).status).to.equal(400)
        visitor = new Visitor('192.0.2.1')
        expect((await signIn()).status).to.equal(303)
        known.from = '203.0.113.7'
        visitor = known
        expect((await signIn()).status).to.equal(303)
        clock.ahead += 14 * 60_000
      }
    })

    it('counts wrong passwords in a known browser too, and refuses forged cookies', async () => {
      const first = await signIn()
      const cookie = /payctl_known_test=([^;]*)/.exec(first.headers.getSetCookie().join())?.[1] ?? ''
      const [name, signed = ''] = cookie.split('.')
      for (let count = 0; count < 5; count++) expect((await signIn(WRONG)).status).to.equal(400)
      expect((await signIn()).status).to.equal(400)
      const cookies = [`x${name}.${signed}`, `${name}.${signed.slice(0, -2)}aa`, '.', cookie.replace('.', '')]
      for (const forged of cookies) {
        visitor = new Visitor('198.51.100.9')
        visitor.cookies.set('payctl_known_test', forged)
        for (let count = 0; count < 2; count++) await signIn(WRONG)
      }
      visitor = new Visitor('198.51.100.9')
      expect((await signIn()).status).to.equal(400)
      clock.ahead += 15 * 60_000
    })

    it('forgets wrong passwords after the right one', async () => {
      for (const fields of [WRONG, WRONG, WRONG, WRONG, {}, WRONG, WRONG, WRONG, WRONG, {}]) {
        const { status } = await signIn(fields)
        expect(status).to.equal(fields === WRONG ? 400 : 303)
      }
    })

    it('redirects only to registered addresses', async () => {
      for (const redirect_uri of [
        'https://evil.example/done',
        `${REDIRECT}/`,
        `${REDIRECT}?more=1`,
        'http://127.0.0.1.evil.example/done',
        'http://127.0.0.1:80@evil.example/done',
        'http://localhost/done',
        'https://127.0.0.1/done',
        'http://127.0.0.1:99999/done',
        'http://127.0.0.1:1/done\n',
        'javascript:alert(1)//http://127.0.0.1/done',
      ]) {
        const { status, headers } = await visitor.get(addressWith({ redirect_uri, scope: 'nonsense' }))
        expect(status, redirect_uri).to.equal(400)
        expect(headers.get('location')).to.equal(null)
      }
    })

    it('reports errors to the application if its address is valid', async () => {
      const told = async (more: Readonly<Record<string, string>>) => {
        const { headers } = await visitor.get(addressWith({ state: 's', ...more }))
        return Object.fromEntries(new URL(headers.get('location') ?? '').searchParams)
      }
      expect(await told({ scope: 'all' })).to.include({ error: 'invalid_scope', state: 's' })
      const plain = { code_challenge: 'a'.repeat(43), code_challenge_method: 'plain' }
      expect(await told(plain)).to.include({ error: 'invalid_request', state: 's' })
    })

    it('is closed while the environment is in maintenance', async () => {
      const key = await world.service.key({ manage: true })
      const switchTo = async (enabled: boolean) =>
        await world.service.ask(key, 'PUT', '/admin/maintenance', { enabled })
      await switchTo(true)
      expect((await visitor.get(addressWith())).status).to.equal(503)
      await switchTo(false)
      expect((await visitor.get(addressWith())).status).to.equal(200)
    })

    it('refuses a second sign-up with the same address', async () => {
      const address = addressWith({ view: 'sign-up' })
      const fields = { business: 'Twice', industry: 'toys', email: 'GRACE@example.com', password: PASSWORD }
      const refused = await signIn(fields, address)
      expect(refused.status).to.equal(400)
      expect(await refused.text()).to.include('There is a user with it already')
      const key = await world.service.key()
      const { body } = await world.service.ask(key, 'GET', '/orgs?name=Twice')
      expect(body.values).to.deep.equal([])
    })

    it('refuses a sign-up with a short password', async () => {
      const fields = {
        business: 'Short',
        industry: 'toys',
        email: 'short@example.com',
        password: 'nine chrs',
      }
      const refused = await signIn(fields, addressWith({ view: 'sign-up' }))
      expect(refused.status).to.equal(400)
      expect(await refused.text()).to.include('Must have at least 10 characters')
      const { body } = await world.service.ask(await world.service.key(), 'GET', '/orgs?name=Short')
      expect(body.values).to.deep.equal([])
    })
  })
})
