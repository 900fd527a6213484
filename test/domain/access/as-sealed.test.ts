import { expect } from 'chai'
import type { AuthorizationServer } from '../../../src/domain/access/authorization-server.js'
import { owner } from '../../../src/engine/core/request/principal.js'
import type { Method } from '../../../src/schema/resource.js'
import { idOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { httpService } from '../../support/http.js'
import {
  codeOf,
  exchange,
  type OauthWorld,
  oauthWorld,
  PASSWORD,
  REDIRECT,
  refresh,
  tokensOf,
} from '../../support/oauth.js'
import { asOutsider, booksSealed } from '../../support/outsider.js'
import { putBack, stolenRows } from '../../support/stolen-rows.js'

onDatabases((open) => {
  describe('a credential that differs from its seal', () => {
    let place: Place
    let world: OauthWorld
    let oauth: AuthorizationServer
    const reported: string[] = []

    before(async () => {
      place = await open.migrated()
      const service = await httpService(place, { report: (error) => reported.push(String(error)) })
      open.atEnd(() => service.stop())
      world = await oauthWorld(service)
      oauth = await (await service.app.environment('test')).oauth()
    })
    beforeEach(() => {
      reported.length = 0
    })

    const status = async (key: string, method = 'GET', path = '/transactions', body?: object) =>
      (await world.service.ask(key, method, path, body && JSON.parse(JSON.stringify(body)))).status
    const pays = async (key: string) => {
      const payment = { type: 'payment', amount: 1, payment_method: card(), processing_id: world.accounts[0] }
      return await status(key, 'POST', '/transactions', payment)
    }
    const asOperator = async (method: Method, path: string, body?: object) => {
      const { core } = await world.service.app.environment('test')
      const sent = body && JSON.parse(JSON.stringify(body))
      const answer = await core.handle({ method, path, body: sent, principal: owner })
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    const granted = async (wanted = {}) => tokensOf(await exchange(world, await codeOf(world, wanted)))

    /**
     * Runs `check` while rows differ from their seals, expects verify to find them, and restores the rows.
     */
    async function whileTampered(
      table: string,
      where: string,
      tamper: readonly string[],
      check: () => Promise<void>,
    ) {
      const honest = await stolenRows(place, table, where)
      expect(honest, where).to.not.deep.equal([])
      await asOutsider(place, ...tamper)
      try {
        await check()
        await booksSealed(place)
        const { findings } = await asOperator('GET', '/admin/verify')
        expect(JSON.stringify(findings)).to.contain('sealed books')
      } finally {
        await putBack(place, table, honest)
      }
    }

    /** A secret key, with the SQL condition for its row. */
    async function key(attributes: object = {}) {
      const made = await asOperator('POST', '/admin/keys', attributes)
      return { secret: String(made.secret_key), id: idOf(made), is: `id = '${idOf(made)}'` }
    }

    const CHANGES: Readonly<Record<string, string>> = {
      'with the permission manage': 'manage = 1',
      'for other accounts': 'processing_ids = null',
      'for other verbs': "grants = '{}'",
      'of another organization': "org_id = 'acct_other'",
      'with a later expiry': "expires_at = '2999-01-01 00:00:00'",
      'with another description': "description = 'mine'",
    }
    for (const [name, change] of Object.entries(CHANGES))
      it(`is refused: a key ${name}`, async () => {
        const { secret, is } = await key({ processing_ids: [world.accounts[0]] })
        expect(await status(secret)).to.equal(200)
        await whileTampered('admin_keys', is, [`update admin_keys set ${change} where ${is}`], async () => {
          expect(await status(secret)).to.equal(401)
          expect(reported.join()).to.contain('is not what was sealed last').and.to.contain('payctl verify')
        })
        expect(await status(secret)).to.equal(200)
      })

    it('is refused: a revoked key whose old row was restored', async () => {
      const { secret, id, is } = await key()
      expect(await status(secret)).to.equal(200)
      const active = await stolenRows(place, 'admin_keys', is)
      await asOperator('DELETE', `/admin/keys/${id}`)
      await whileTampered('admin_keys', is, [], async () => {
        await putBack(place, 'admin_keys', active)
        expect(await status(secret)).to.equal(401)
        await booksSealed(place)
        expect(await status(secret)).to.equal(401)
      })
    })

    it('is refused: a key that was added or renamed outside of payctl', async () => {
      const { secret, is } = await key()
      await whileTampered(
        'admin_keys',
        is,
        [`update admin_keys set id = 'key_of_a_thief' where ${is}`],
        async () => {
          expect(await status(secret)).to.equal(401)
          expect(reported.join()).to.contain('key_of_a_thief was never sealed')
          await asOutsider(place, "delete from admin_keys where id = 'key_of_a_thief'")
        },
      )
    })

    it('is refused: a client key that was changed, or whose creator was changed', async () => {
      const maker = await key()
      const made = await world.service.ask(maker.secret, 'POST', '/access_tokens', {
        type: 'client',
        intent: { amount: 1, processing_id: world.accounts[0] },
      })
      const client = idOf(made.body)
      expect(await pays(client)).to.not.equal(401)
      const is = `id = '${client}'`
      await whileTampered(
        'access_tokens',
        is,
        [`update access_tokens set fixed = '{}' where ${is}`],
        async () => {
          expect(await pays(client)).to.equal(401)
        },
      )
      const changes = [`update admin_keys set grants = null, manage = 1 where ${maker.is}`]
      await whileTampered('admin_keys', maker.is, changes, async () => {
        expect(await pays(client)).to.equal(401)
      })
      expect(await pays(client)).to.not.equal(401)
    })

    it('is refused: a deleted client key that was restored', async () => {
      const client = idOf(
        await asOperator('POST', '/access_tokens', { type: 'client', intent: { amount: 1 } }),
      )
      const is = `id = '${client}'`
      const alive = await stolenRows(place, 'access_tokens', is)
      await asOperator('DELETE', `/access_tokens/${client}`)
      await whileTampered('access_tokens', is, [], async () => {
        await putBack(place, 'access_tokens', alive)
        expect(await pays(client)).to.equal(401)
      })
    })

    it('is refused: an access token whose row or grant was changed', async () => {
      const { access } = await granted({ scope: 'processing', ticked: [world.accounts[0]] })
      expect(await status(access)).to.equal(200)
      const of = "status = 'active' and scope = 'processing'"
      const widened = [`update admin_oauth_grants set scope = 'org' where ${of}`]
      await whileTampered('admin_oauth_grants', of, widened, async () => {
        expect(await status(access)).to.equal(401)
      })
      const longer = ["update oauth_tokens set expires_at = '2999-01-01 00:00:00'"]
      await whileTampered('oauth_tokens', "kind = 'access'", longer, async () => {
        expect(await status(access)).to.equal(401)
      })
    })

    it('is refused: a token of a revoked grant, even if both rows were restored', async () => {
      const { access, refresh: token } = await granted()
      const grants = await stolenRows(place, 'admin_oauth_grants', "status = 'active'")
      const tokens = await stolenRows(place, 'oauth_tokens', 'used_at is null')
      for (const grant of grants) await asOperator('DELETE', `/admin/oauth_grants/${grant['id']}`)
      expect(await status(access)).to.equal(401)
      await whileTampered('admin_oauth_grants', "status = 'revoked'", [], async () => {
        await putBack(place, 'admin_oauth_grants', grants)
        await putBack(place, 'oauth_tokens', tokens)
        expect(await status(access)).to.equal(401)
        expect((await refresh(world, token)).body.error).to.equal('invalid_grant')
      })
      await asOutsider(place, 'delete from oauth_tokens')
    })

    it('is refused: a used refresh token that was restored', async () => {
      const { refresh: token } = await granted()
      const unused = await stolenRows(place, 'oauth_tokens', "kind = 'refresh' and used_at is null")
      tokensOf(await refresh(world, token))
      await whileTampered('oauth_tokens', "kind = 'refresh' and used_at is not null", [], async () => {
        await putBack(place, 'oauth_tokens', unused)
        expect((await refresh(world, token)).body.error).to.equal('invalid_grant')
        expect(reported.join()).to.contain('oauth_token')
      })
    })

    it('is refused: a code whose grant was restored or forged', async () => {
      const code = await codeOf(world)
      const pending = await stolenRows(place, 'admin_oauth_grants', "status = 'pending'")
      tokensOf(await exchange(world, code))
      const is = `id in (${pending.map(({ id }) => `'${id}'`).join()})`
      await whileTampered('admin_oauth_grants', is, [], async () => {
        await putBack(place, 'admin_oauth_grants', pending)
        expect((await exchange(world, code)).body.error).to.equal('invalid_grant')
      })
    })

    it('is refused for an account that was moved into the organization outside of payctl', async () => {
      const { access } = await granted()
      const is = `id = '${world.foreign}'`
      const moved = [`update accounts set parent_org_id = '${world.orgId}' where ${is}`]
      await whileTampered('accounts', is, moved, async () => {
        expect(await status(access, 'GET', `/processing_accounts/${world.foreign}`)).to.equal(401)
      })
    })

    it('is refused: a user whose row was changed, at sign-in and in a session', async () => {
      const attempt = { email: world.email, password: PASSWORD, address: '192.0.2.1', knownBrowser: '' }
      const session = (await oauth.signIn(attempt))?.session
      expect(await oauth.signedIn(session ?? '')).to.include({ email: world.email })
      const is = `email = '${world.email}'`
      const moved = [`update admin_oauth_users set org_id = '${world.clientId}' where ${is}`]
      await whileTampered('admin_oauth_users', is, moved, async () => {
        expect(await oauth.signIn(attempt)).to.equal(undefined)
        expect(await oauth.signedIn(session ?? '')).to.equal(undefined)
      })
      expect(await oauth.signedIn(session ?? '')).to.include({ email: world.email })
    })

    it('is refused: a redirect address that was registered outside of payctl', async () => {
      const request = (redirect_uri: string) =>
        oauth.application({ client_key: world.clientKey, org_id: world.clientId, scope: 'org', redirect_uri })
      expect(await request(REDIRECT)).to.include({ kind: 'application' })
      const thief = 'https://thief.example/done'
      const is = `uri = '${REDIRECT}'`
      const changed = [`update admin_oauth_redirects set uri = '${thief}' where ${is}`]
      await whileTampered('admin_oauth_redirects', is, changed, async () => {
        expect(await request(thief)).to.include({ error: 'invalid_client' })
      })
      expect(await request(REDIRECT)).to.include({ kind: 'application' })
    })

    it('is refused if the log is shorter than its recorded length', async () => {
      const { secret, id, is } = await key()
      const { secret: other } = await key()
      expect(await status(secret)).to.equal(200)
      await booksSealed(place)
      expect(await status(secret)).to.equal(200)
      const active = await stolenRows(place, 'admin_keys', is)
      const [last] = await stolenRows(place, 'seal_log', 'id = (select max(id) from seal_log)')
      await asOperator('DELETE', `/admin/keys/${id}`)
      await booksSealed(place)
      expect(await status(secret)).to.equal(401)
      await asOutsider(place, `delete from seal_log where id > ${last?.['id']}`)
      await putBack(place, 'admin_keys', active)
      expect(await status(secret)).to.equal(503)
      expect(await status(other)).to.equal(503)
    })
  })
})
