import { expect } from 'chai'
import { Visitor } from '../../support/consent.js'
import { onDatabases } from '../../support/databases.js'
import { type HttpService, httpService } from '../../support/http.js'
import { type OauthWorld, oauthWorld, PASSWORD, REDIRECT } from '../../support/oauth.js'

const RATE = 3

onDatabases((open) => {
  describe('signing up', () => {
    const opened = async (signUp: boolean): Promise<OauthWorld> => {
      const service: HttpService = await httpService(
        await open.migrated(),
        {},
        { limits: { signUpRate: RATE, signInRate: RATE }, signUp },
      )
      open.atEnd(() => service.stop())
      return await oauthWorld(service)
    }
    const addressOf = ({ service, clientKey, clientId }: OauthWorld, view: string) => {
      const given = { client_key: clientKey, org_id: clientId, scope: 'org', redirect_uri: REDIRECT, view }
      return `${service.address}/oauth/authorize?${new URLSearchParams(given)}`
    }
    const send = async (address: string, fields: Readonly<Record<string, string>>) => {
      const visitor = new Visitor()
      return await visitor.send(await (await visitor.get(address)).text(), address, fields)
    }
    const business = (number: number) => ({
      business: `Shop ${number}`,
      industry: 'toys',
      password: PASSWORD,
      email: `owner${number}@example.com`,
    })
    const count = (statuses: readonly number[], status: number) =>
      statuses.filter((each) => each === status).length

    it('is refused beyond the limit of an address, while keys from that address still work', async () => {
      const world = await opened(true)
      const address = addressOf(world, 'sign-up')
      const made = await Promise.all(Array.from({ length: 8 }, (_, at) => send(address, business(at))))
      const statuses = made.map(({ status }) => status)
      expect(count(statuses, 303)).to.equal(RATE)
      expect(count(statuses, 429)).to.equal(8 - RATE)
      const refused = made.find(({ status }) => status === 429)
      expect(refused?.headers.get('retry-after')).to.match(/^\d+$/)
      const { status, body } = await world.service.ask(world.key, 'GET', '/orgs?name=?*Shop')
      expect(status).to.equal(200)
      expect(body.values).to.have.length(RATE)
      const tries = [1, 2, 3, 4, 5].map(() =>
        send(addressOf(world, ''), { email: world.email, password: 'wrong one' }),
      )
      const signedIn = (await Promise.all(tries)).map((answer) => answer.status)
      expect(count(signedIn, 400)).to.equal(RATE)
      expect(count(signedIn, 429)).to.equal(5 - RATE)
    })

    it('is neither offered nor accepted if it is switched off', async () => {
      const world = await opened(false)
      const page = await (await new Visitor().get(addressOf(world, 'sign-up'))).text()
      expect(page).to.include('Sign in').and.not.include('Sign up')
      expect((await send(addressOf(world, 'sign-up'), business(1))).status).to.equal(400)
      const { body } = await world.service.ask(world.key, 'GET', '/orgs?name=Shop 1')
      expect(body.values).to.deep.equal([])
    })
  })
})
