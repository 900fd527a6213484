import { expect } from 'chai'
import { owner } from '../../../src/engine/core/request/principal.js'
import type { Environment } from '../../../src/engine/store/database/store.js'
import { LIMITS } from '../../../src/http/api/http-limits.js'
import { openLog } from '../../../src/http/api/log.js'
import { createServer } from '../../../src/http/server.js'
import { systemClock } from '../../../src/platform/clock.js'
import { systemRandom } from '../../../src/platform/random.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'

describe('the page of a payment link on an unencrypted address where requests to live are refused', () => {
  onDatabases((open) => {
    it('is not found for an unknown link, refused for a link of live, and shown for a link of test', async () => {
      const { app } = await openCore(open)
      const make = async (environment: Environment, path: string, body: JsonObject) => {
        const { core } = await app.environment(environment)
        const made = await core.handle({ method: 'POST', path, query: [], body, principal: owner })
        return idOf(made.body)
      }
      const linkOf = async (environment: Environment) => {
        const account = { name: 'Pay Park Books', type: 'processing', processing: { industry: 'retail' } }
        const processing_id = await make(environment, '/accounts', account)
        return await make(environment, '/payment_links', { amount: 20, processing_id })
      }
      const server = createServer({
        app,
        refusesLive: true,
        limits: LIMITS,
        log: openLog('silent'),
        random: systemRandom,
        clock: systemClock,
      })
      const asked = async (id: string) => (await server.inject(`/pay/${id}`)).statusCode
      expect(await asked('plnk_0000000000000000000000')).to.equal(404)
      expect(await asked(await linkOf('test'))).to.equal(200)
      expect(await asked(await linkOf('live'))).to.equal(403)
    })
  })
})
