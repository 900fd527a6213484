import { expect } from 'chai'
import { onDatabases } from '../../support/databases.js'
import { httpService } from '../../support/http.js'
import { codeOf, exchange, type OauthWorld, oauthWorld, postForm, tokensOf } from '../../support/oauth.js'

const VERIFIER = 'a-verifier-of-forty-three-characters-at-least'

onDatabases((open) => {
  describe('the code of an OAuth grant', () => {
    const clock = { ahead: 0, now: () => Date.UTC(2027, 0, 1) + clock.ahead }
    let world: OauthWorld
    before(async () => {
      const service = await httpService(await open.migrated(), { clock })
      open.atEnd(() => service.stop())
      world = await oauthWorld(service)
    })

    const errorOf = async (code: string, more?: Record<string, string>) => {
      const { status, body } = await exchange(world, code, more)
      expect(body).to.include.keys('error_description', 'details', 'error_type')
      return [status, body.error]
    }

    it('is valid for a minute, counted to the millisecond', async () => {
      for (const part of [0, 950]) {
        clock.ahead += part
        const code = await codeOf(world)
        clock.ahead += 60_000
        expect(await errorOf(code), String(part)).to.deep.equal([400, 'invalid_grant'])
      }
    })

    it('is valid once; a second use revokes the tokens of the first', async () => {
      const code = await codeOf(world)
      const { access } = tokensOf(await exchange(world, code))
      expect(await errorOf(code)).to.deep.equal([400, 'invalid_grant'])
      expect((await world.service.ask(access, 'GET', '/transactions')).status).to.equal(401)
    })

    it('yields tokens once, even if many requests use it at the same time', async () => {
      const code = await codeOf(world)
      const answers = await Promise.all(Array.from({ length: 5 }, () => exchange(world, code)))
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1)
    })

    it('is valid only for its redirect address', async () => {
      const code = await codeOf(world)
      const other = { redirect_uri: 'http://127.0.0.1/other' }
      expect(await errorOf(code, other)).to.deep.equal([400, 'invalid_grant'])
    })

    it('is valid only with the verifier of its challenge', async () => {
      const code = await codeOf(world, { verifier: VERIFIER })
      expect(await errorOf(code)).to.deep.equal([400, 'invalid_grant'])
      expect(await errorOf(code, { code_verifier: `${VERIFIER}r` })).to.deep.equal([400, 'invalid_grant'])
      expect((await exchange(world, code, { code_verifier: VERIFIER })).status).to.equal(200)
    })

    it('is valid without a verifier if it was issued without a challenge', async () => {
      const code = await codeOf(world)
      expect(await errorOf(code, { code_verifier: VERIFIER })).to.deep.equal([400, 'invalid_grant'])
    })

    it('is valid only for its application, whose key must belong to the same organization', async () => {
      const { service, orgId } = world
      const key = await service.key({ org_id: orgId })
      const code = await codeOf(world)
      expect(await errorOf(code, { client_id: orgId })).to.deep.equal([401, 'invalid_client'])
      const { status, body } = await exchange({ service, clientId: orgId, key }, code)
      expect([status, body.error]).to.deep.equal([400, 'invalid_grant'])
      expect((await exchange(world, code)).status).to.equal(200)
    })

    it('can be exchanged with a secret key alone', async () => {
      const { service, clientId, clientKey } = world
      const code = await codeOf(world)
      const { access } = tokensOf(await exchange(world, await codeOf(world)))
      for (const key of [clientKey, access, 'test_secret_key_unknown']) {
        const { status, body, headers } = await exchange({ service, clientId, key }, code)
        expect([status, body.error]).to.deep.equal([401, 'invalid_client'])
        expect(headers.get('www-authenticate')).to.include('Basic')
      }
      const { address } = service
      const fields = { code, grant_type: 'authorization_code', client_id: clientId }
      expect((await postForm(address, '/oauth/token', fields)).body.error).to.equal('invalid_client')
    })

    it('can be exchanged with the id and key in the form that OAuth libraries use', async () => {
      const { clientId, key, service } = world
      const authorization = `Basic ${Buffer.from(`${clientId}:${key}`).toString('base64')}`
      const exchanged = async (headers: Record<string, string>, fields: Record<string, string>) => {
        const body = new URLSearchParams({ grant_type: 'authorization_code', ...fields })
        return (await fetch(`${service.address}/oauth/token`, { method: 'POST', headers, body })).status
      }
      expect(await exchanged({ authorization }, { code: await codeOf(world) })).to.equal(200)
      const inBody = { client_id: clientId, client_secret: key, code: await codeOf(world) }
      expect(await exchanged({}, inBody)).to.equal(200)
      const differing = { code: await codeOf(world), client_id: world.orgId }
      expect(await exchanged({ authorization }, differing)).to.equal(401)
    })

    it('is refused with an explanation if a parameter is wrong', async () => {
      const post = async (fields: Record<string, string>) => {
        const { status, body } = await postForm(world.service.address, '/oauth/token', fields, world.key)
        return [status, body.error, body.details]
      }
      expect(await post({})).to.deep.equal([400, 'invalid_request', { grant_type: 'Required' }])
      expect((await post({ grant_type: 'password' })).slice(0, 2)).to.deep.equal([
        400,
        'unsupported_grant_type',
      ])
      const grant = { grant_type: 'authorization_code' }
      expect(await post(grant)).to.deep.equal([400, 'invalid_request', { code: 'Required' }])
      expect(await post({ ...grant, code: 'x' })).to.deep.equal([
        400,
        'invalid_request',
        { client_id: 'Required' },
      ])
      expect(await post({ grant_type: 'refresh_token' })).to.deep.equal([
        400,
        'invalid_request',
        { refresh_token: 'Required' },
      ])
    })
  })
})
