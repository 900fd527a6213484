import { expect } from 'chai'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { httpService } from '../../support/http.js'
import {
  codeOf,
  exchange,
  type OauthWorld,
  oauthWorld,
  postForm,
  REDIRECT,
  refresh,
  tokensOf,
} from '../../support/oauth.js'

onDatabases((open) => {
  describe('OAuth tokens', () => {
    const clock = { ahead: 0, now: () => Date.UTC(2027, 0, 1) + clock.ahead }
    let world: OauthWorld
    before(async () => {
      const service = await httpService(await open.migrated(), { clock })
      open.atEnd(() => service.stop())
      world = await oauthWorld(service)
    })

    const status = async (token: string, method = 'GET', path = '/transactions', body?: object) =>
      (await world.service.ask(token, method, path, body && JSON.parse(JSON.stringify(body)))).status
    const granted = async (wanted = {}) => tokensOf(await exchange(world, await codeOf(world, wanted)))

    it('are exchanged for a code', async () => {
      const answer = await exchange(world, await codeOf(world), { redirect_uri: REDIRECT })
      expect(answer.body).to.include({ token_type: 'bearer', expires_in: 3600, scope: 'org' })
      expect(answer.headers.get('cache-control')).to.equal('no-store')
      expect(await status(tokensOf(answer).access)).to.equal(200)
    })

    it('are accepted as the user name of Basic authentication, too', async () => {
      const { access } = await granted()
      const authorization = `Basic ${Buffer.from(`${access}:`).toString('base64')}`
      const { status } = await fetch(`${world.service.address}/transactions`, { headers: { authorization } })
      expect(status).to.equal(200)
    })

    it('give access only to the accounts of the organization', async () => {
      const { access } = await granted()
      const { body } = await world.service.ask(access, 'GET', '/processing_accounts?fields=id&order_by=id')
      const ids = world.accounts.map((id) => ({ id }))
      expect(body.values).to.have.deep.members(ids)
      expect(await status(access, 'GET', `/processing_accounts/${world.foreign}`)).to.equal(404)
      const payment = { type: 'payment', amount: 1, payment_method: card(), processing_id: world.foreign }
      expect(await status(access, 'POST', '/transactions', payment)).to.equal(403)
    })

    it('give access only to the accounts selected at consent', async () => {
      const [first, second] = world.accounts
      const { access } = await granted({ scope: 'processing', ticked: [second, world.foreign] })
      const { body } = await world.service.ask(access, 'GET', '/processing_accounts?fields=id')
      expect(body.values).to.deep.equal([{ id: second }])
      const payment = { type: 'payment', amount: 1, payment_method: card(), processing_id: first }
      expect(await status(access, 'POST', '/transactions', payment)).to.equal(403)
    })

    it('never have the manage permission', async () => {
      const { access } = await granted()
      for (const path of ['/admin/keys', '/admin/oauth_users', '/admin/oauth_grants', '/admin/clock'])
        expect(await status(access, 'GET', path), path).to.equal(403)
    })

    it('create client keys that end with them', async () => {
      const { access, refresh: token } = await granted({ scope: 'processing', ticked: [world.accounts[0]] })
      const made = await world.service.ask(access, 'POST', '/access_tokens', { type: 'client' })
      const payment = { type: 'payment', amount: 1, payment_method: card() }
      expect(await status(String(made.body.id), 'POST', '/transactions', payment)).to.not.equal(401)
      await postForm(world.service.address, '/oauth/revoke', { token })
      expect(await status(String(made.body.id), 'POST', '/transactions', payment)).to.equal(401)
    })

    it('expire after an hour, and can be refreshed without client credentials', async () => {
      const first = await granted()
      clock.ahead += 3_600_000
      expect(await status(first.access)).to.equal(401)
      const second = tokensOf(await refresh(world, first.refresh))
      expect(await status(second.access)).to.equal(200)
    })

    it('cannot be refreshed after sixty days', async () => {
      const { refresh: token } = await granted()
      clock.ahead += 60 * 86_400_000
      expect((await refresh(world, token)).body).to.include({ error: 'invalid_grant', object: 'error' })
    })

    it('are issued again if a refresh token is repeated within 30 seconds, and all are valid', async () => {
      const first = await granted()
      const second = tokensOf(await refresh(world, first.refresh))
      clock.ahead += 30_000
      const third = tokensOf(await refresh(world, first.refresh))
      expect(third.refresh).not.to.equal(second.refresh)
      for (const { access } of [first, second, third]) expect(await status(access)).to.equal(200)
      for (const { refresh: token } of [second, third])
        expect((await refresh(world, token)).status).to.equal(200)
    })

    it('are all revoked if a refresh token is repeated after 30 seconds', async () => {
      const first = await granted()
      const second = tokensOf(await refresh(world, first.refresh))
      clock.ahead += 20_000
      const third = tokensOf(await refresh(world, first.refresh))
      clock.ahead += 11_000
      expect((await refresh(world, first.refresh)).status).to.equal(400)
      for (const { access } of [first, second, third]) expect(await status(access)).to.equal(401)
      for (const { refresh: token } of [second, third])
        expect((await refresh(world, token)).body.error).to.equal('invalid_grant')
    })

    it('stay revoked if a refresh token is repeated within 30 seconds', async () => {
      const { refresh: token } = await granted()
      const { access } = tokensOf(await refresh(world, token))
      await postForm(world.service.address, '/oauth/revoke', { token: access })
      expect((await refresh(world, token)).body.error).to.equal('invalid_grant')
    })

    it('are issued to all simultaneous refreshes, and end if the refresh token is repeated after 30 seconds', async () => {
      const { refresh: token } = await granted()
      const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(world, token)))
      const tokens = answers.map(tokensOf)
      expect(new Set(tokens.map((pair) => pair.refresh)).size).to.equal(5)
      for (const { access } of tokens) expect(await status(access)).to.equal(200)
      clock.ahead += 31_000
      expect((await refresh(world, token)).status).to.equal(400)
      for (const { access } of tokens) expect(await status(access)).to.equal(401)
    })

    it('can be revoked by anyone who holds a token', async () => {
      const { access, refresh: token } = await granted()
      const revoke = async (fields: Record<string, string>) =>
        (await postForm(world.service.address, '/oauth/revoke', fields)).status
      expect(await revoke({ token: access })).to.equal(200)
      expect(await status(access)).to.equal(401)
      expect((await refresh(world, token)).status).to.equal(400)
      expect(await revoke({ token: 'unknown' })).to.equal(200)
      expect(await revoke({})).to.equal(400)
    })

    it('cannot be revoked or refreshed by another identified application', async () => {
      const { access, refresh: token } = await granted()
      const { address } = world.service
      const other = await world.service.key({ org_id: world.orgId })
      const revoke = async (fields: Record<string, string>, key?: string) => {
        const { status, body } = await postForm(address, '/oauth/revoke', fields, key)
        return [status, body.error]
      }
      expect(await revoke({ token: access }, other)).to.deep.equal([400, 'invalid_grant'])
      expect(await revoke({ token, client_secret: other })).to.deep.equal([400, 'invalid_grant'])
      expect(await revoke({ token, client_id: world.orgId })).to.deep.equal([400, 'invalid_grant'])
      expect(await revoke({ token: access }, `test_secret_key_${'x'.repeat(43)}`)).to.deep.equal([
        401,
        'invalid_client',
      ])
      const fields = { grant_type: 'refresh_token', refresh_token: token, client_id: world.orgId }
      expect((await postForm(address, '/oauth/token', fields)).body.error).to.equal('invalid_grant')
      expect(await status(access)).to.equal(200)
      expect(await revoke({ token: access, client_id: world.clientId }, world.key)).to.deep.equal([
        200,
        undefined,
      ])
      expect(await status(access)).to.equal(401)
    })

    it('can be revoked by the operator, and the grant stays in lists', async () => {
      const { access } = await granted()
      const key = await world.service.key({ manage: true })
      const grants = await world.service.ask(key, 'GET', '/admin/oauth_grants?limit=1')
      const [grant] = JSON.parse(JSON.stringify(grants.body.values))
      expect(grant).to.include({ client_id: world.clientId, org_id: world.orgId, status: 'active' })
      await world.service.ask(key, 'DELETE', `/admin/oauth_grants/${grant.id}`)
      expect(await status(access)).to.equal(401)
      const after = await world.service.ask(key, 'GET', `/admin/oauth_grants/${grant.id}`)
      expect(after.body).to.include({ status: 'revoked' })
    })

    it('give no access to an account that has left the organization', async () => {
      const { access } = await granted()
      const key = await world.service.key()
      const account = `/processing_accounts/${world.accounts[1]}`
      await world.service.ask(key, 'PUT', account, { parent_org_id: null })
      expect(await status(access, 'GET', account)).to.equal(404)
      await world.service.ask(key, 'PUT', account, { parent_org_id: world.orgId })
      expect(await status(access, 'GET', account)).to.equal(200)
    })
  })
})
