import { expect } from 'chai'
import { openApp } from '../../../src/app.js'
import { owner } from '../../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { httpService, nowhere } from '../../support/http.js'
import { codeOf, exchange, oauthWorld, tokensOf } from '../../support/oauth.js'

describe('webhooks of an OAuth application', () => {
  onDatabases((open) => {
    it('receive no more events after the processing account leaves the organization', async () => {
      const clock = { ahead: 0, now: () => Date.UTC(2027, 0, 1) + clock.ahead }
      const place = await open.migrated()
      const service = await httpService(place, { clock })
      const world = await oauthWorld(service)
      const { access } = tokensOf(await exchange(world, await codeOf(world)))
      const [leaving, staying] = world.accounts
      const hookOf = async (processing_id: string) => {
        const body = { trigger: 'payment_link:status', url: 'https://app.example/hook', processing_id }
        return idOf((await service.ask(access, 'POST', '/webhooks', body)).body)
      }
      const hooks = [await hookOf(leaving), await hookOf(staying)]
      // The service also delivers in the background, and the logs of its attempts may be written later.
      await service.stop()
      const app = openApp({ ...place, clock, delivery: { http: nowhere } })
      open.atEnd(() => app.close())
      const { core, deliver } = await app.environment('test')
      const asOperator = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: JsonObject) =>
        (await core.handle({ method, path, principal: owner, ...(body && { body }) })).body
      const attempts = async () => {
        clock.ahead += 1_000
        for (const processing_id of world.accounts)
          await asOperator('POST', '/payment_links', { amount: 1, description: 'A book', processing_id })
        await deliver(new AbortController().signal)
        const made = []
        for (const id of hooks) made.push(valuesOf(await asOperator('GET', `/webhooks/${id}/logs`)).length)
        return made
      }
      expect(await attempts()).to.deep.equal([1, 1])
      await asOperator('PUT', `/accounts/${leaving}`, { parent_org_id: world.clientId })
      expect(await attempts()).to.deep.equal([1, 2])
    })
  })
})
