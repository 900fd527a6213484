import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { httpService } from '../../support/http.js'
import {
  codeOf,
  exchange,
  type OauthWorld,
  oauthWorld,
  PASSWORD,
  refresh,
  tokensOf,
} from '../../support/oauth.js'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

onDatabases('locks', (open) => {
  describe('in its last second before expiry', () => {
    const clock = { seconds: 0, now: () => Date.UTC(2027, 0, 1) + clock.seconds * 1000 }
    let world: OauthWorld
    let manager: string
    before(async () => {
      const service = await httpService(await open.migrated(), { clock })
      open.atEnd(() => service.stop())
      world = await oauthWorld(service)
      manager = await service.key({ manage: true })
    })

    const oauth = async () => await (await world.service.app.environment('test')).oauth()
    const reads = async (token: string) => (await world.service.ask(token, 'GET', '/transactions')).status
    const granted = async () => tokensOf(await exchange(world, await codeOf(world)))
    const signIn = async (password = PASSWORD) =>
      (await oauth()).signIn({ email: world.email, password, address: '192.0.2.1', knownBrowser: '' })

    it('a code is exchanged', async () => {
      const code = await codeOf(world)
      clock.seconds += 59
      expect((await exchange(world, code)).status).to.equal(200)
    })

    it('an access token is accepted', async () => {
      const { access } = await granted()
      clock.seconds += HOUR - 1
      expect(await reads(access)).to.equal(200)
      clock.seconds += 1
      expect(await reads(access)).to.equal(401)
    })

    it('a refresh token is exchanged, and the new one expires no later', async () => {
      const { refresh: token } = await granted()
      clock.seconds += 60 * DAY - 1
      const fresh = tokensOf(await refresh(world, token))
      clock.seconds += HOUR - 1
      expect(await reads(fresh.access)).to.equal(200)
      clock.seconds += 60 * DAY - HOUR
      expect((await refresh(world, fresh.refresh)).status).to.equal(200)
    })

    it('the row of a token is not deleted yet', async () => {
      const { refresh: token } = await granted()
      clock.seconds += HOUR - 1
      const fresh = tokensOf(await refresh(world, token))
      const kinds = async () => {
        const { core } = await world.service.app.environment('test')
        const rows = await core.write(({ tx }) =>
          tx.db
            .selectFrom('oauth_tokens as t')
            .innerJoin('oauth_tokens as used', 'used.grant_id', 't.grant_id')
            .select('t.kind')
            .where('used.used_at', '=', lastUsed)
            .execute(),
        )
        return rows.map(({ kind }) => kind).sort()
      }
      const lastUsed = new Date(clock.now()).toISOString().slice(0, 19).replace('T', ' ')
      expect(await kinds()).to.deep.equal(['access', 'access', 'refresh', 'refresh'])
      clock.seconds += 1
      await refresh(world, fresh.refresh)
      expect(await kinds()).to.deep.equal(['access', 'access', 'refresh', 'refresh', 'refresh'])
    })

    it('a session is accepted', async () => {
      const session = (await signIn())?.session ?? ''
      clock.seconds += HOUR - 1
      expect(await (await oauth()).signedIn(session)).to.include({ email: world.email })
      clock.seconds += 1
      expect(await (await oauth()).signedIn(session)).to.equal(undefined)
    })

    it('a lock is still in force', async () => {
      for (let count = 0; count < 5; count++) expect(await signIn('a wrong password')).to.equal(undefined)
      clock.seconds += 15 * MINUTE - 1
      expect(await signIn()).to.equal(undefined)
      clock.seconds += 1
      expect(await signIn()).to.have.keys('session', 'knownBrowser')
    })

    it('a rotated key may have an overlap of thirty days, but no longer overlap', async () => {
      const id = async () => idOf((await world.service.ask(manager, 'POST', '/admin/keys', {})).body)
      const rotate = async (body: JsonObject) =>
        (await world.service.ask(manager, 'POST', `/admin/keys/${await id()}/rotate`, body)).status
      expect(await rotate({ overlap: 30 * DAY })).to.equal(200)
      expect(await rotate({ overlap: 30 * DAY + 1 })).to.equal(400)
    })
  })
})
