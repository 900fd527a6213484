import { expect } from 'chai'
import { type ConsoleAccess, consoleAccess } from '../../../src/domain/access/operators/console-access.js'
import { systemRandom } from '../../../src/platform/random.js'
import { Visitor } from '../../support/consent.js'
import { type ConsoleWorld, consoleWorld, EMAIL } from '../../support/console-world.js'
import { onSqlite } from '../../support/databases.js'
import { type OauthWorld, oauthWorld, PASSWORD, REDIRECT } from '../../support/oauth.js'

const HOME = '/console/test/'
const CLIENT = { browser: '', previous: '', code: '' }
const MOST = 5
const WRONG = 'not the password'

/** Cookies of one sign-in. */
interface Cookies {
  readonly session: string
  readonly knownBrowser: string
}

onSqlite((open) => {
  describe('the cookies of users of OAuth and of operators of the console', () => {
    let world: ConsoleWorld
    let oauth: OauthWorld
    let operators: ConsoleAccess
    let operator: Cookies
    let user: Cookies
    before(async () => {
      world = await consoleWorld(open)
      oauth = await oauthWorld(world.service)
      const { core } = await world.service.app.environment('test')
      operators = consoleAccess({ core, random: systemRandom, report: () => expect.fail() })
      // One person with one e-mail address and one password in both.
      await world.ask('PUT', `/admin/operators/${world.ada.test}`, { password: PASSWORD })
      const { id } = await world.ask('POST', '/admin/oauth_users', {
        org_id: oauth.orgId,
        email: EMAIL,
        password: PASSWORD,
      })
      expect(id).to.be.a('string')
      operator = await ofOperator('192.0.2.1')
      user = await ofUser('192.0.2.1')
    })
    const users = async () => (await world.service.app.environment('test')).oauth()
    const signInUser = async (address: string, password: string, knownBrowser = '') =>
      await (await users()).signIn({ email: EMAIL, password, address, knownBrowser })
    const signInOperator = async (address: string, password: string, knownBrowser = '') => {
      const attempt = { ...CLIENT, email: EMAIL, password, address, knownBrowser }
      return await operators.signIn(attempt, false)
    }
    async function ofUser(address: string): Promise<Cookies> {
      return (await signInUser(address, PASSWORD)) ?? expect.fail('The user is refused')
    }
    async function ofOperator(address: string): Promise<Cookies> {
      const outcome = await signInOperator(address, PASSWORD)
      return outcome.kind === 'signed_in' ? outcome : expect.fail('The operator is refused')
    }
    const consoleWith = async (cookies: Readonly<Record<string, string>>) => {
      const browser = world.browser()
      for (const [name, value] of Object.entries(cookies)) browser.cookies.set(name, value)
      return (await browser.get(HOME)).status
    }
    const authorizeWith = async (cookies: Readonly<Record<string, string>>) => {
      const visitor = new Visitor()
      for (const [name, value] of Object.entries(cookies)) visitor.cookies.set(name, value)
      const { clientKey, clientId, service } = oauth
      const asked = { client_key: clientKey, org_id: clientId, scope: 'org', redirect_uri: REDIRECT }
      const page = await visitor.get(`${service.address}/oauth/authorize?${new URLSearchParams(asked)}`)
      return /<h1>([^<]*)<\/h1>/.exec(await page.text())?.[1]
    }

    it('open only the pages of their own sign-in', async () => {
      expect(await consoleWith({ payctl_console: `test.${operator.session}` })).to.equal(200)
      expect(await consoleWith({ payctl_console: `test.${user.session}` })).to.equal(303)
      expect(await consoleWith({ payctl_session_test: operator.session })).to.equal(303)
      expect(await consoleWith({ payctl_operator_test: operator.knownBrowser })).to.equal(303)
      expect(await authorizeWith({ payctl_session_test: user.session })).to.include('Give ')
      for (const session of [operator.session, `test.${operator.session}`, user.knownBrowser])
        expect(await authorizeWith({ payctl_session_test: session })).to.equal('Sign in')
      expect(await authorizeWith({ payctl_console: user.session })).to.equal('Sign in')
      expect(await authorizeWith({ payctl_known_test: user.session })).to.equal('Sign in')
    })

    it('hold sessions that the other sign-in refuses', async () => {
      expect((await operators.signedIn(operator.session))?.email).to.equal(EMAIL)
      expect(await operators.signedIn(user.session)).to.equal(undefined)
      expect((await (await users()).signedIn(user.session))?.email).to.equal(EMAIL)
      expect(await (await users()).signedIn(operator.session)).to.equal(undefined)
      await operators.signOut(user.session)
      expect((await (await users()).signedIn(user.session))?.email).to.equal(EMAIL)
    })

    it('recognize browsers only for their own sign-in, which counts wrong passwords apart', async () => {
      for (let wrong = 0; wrong < MOST; wrong++) await signInOperator('192.0.2.2', WRONG)
      expect((await signInOperator('192.0.2.2', PASSWORD, user.knownBrowser)).kind).to.equal('refused')
      expect((await signInOperator('192.0.2.2', PASSWORD, operator.knownBrowser)).kind).to.equal('signed_in')
      expect(await signInUser('192.0.2.2', PASSWORD)).to.not.equal(undefined)
      for (let wrong = 0; wrong < MOST; wrong++) await signInUser('192.0.2.3', WRONG)
      expect(await signInUser('192.0.2.3', PASSWORD, operator.knownBrowser)).to.equal(undefined)
      expect(await signInUser('192.0.2.3', PASSWORD, user.knownBrowser)).to.not.equal(undefined)
      expect((await signInOperator('192.0.2.3', PASSWORD)).kind).to.equal('signed_in')
    })
  })
})
