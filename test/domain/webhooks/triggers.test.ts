import { expect } from 'chai'
import { RECIPES, type Recipe } from '../../../src/cli/commands/webhooks/recipes.js'
import { runScenario } from '../../../src/cli/terminal/client/scenario.js'
import { FIRED, SIMULATED_TRIGGERS } from '../../../src/resources/trigger.js'
import { openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { openReceiver, type Receiver } from '../../support/receiver.js'

describe('triggers', () => {
  onDatabases((open) => {
    let core: TestCore
    let receiver: Receiver

    before(async () => {
      core = await openCore(open)
      receiver = await openReceiver()
      open.atEnd(() => receiver.close())
      for (const trigger of SIMULATED_TRIGGERS)
        await core.ok('POST', '/webhooks', { trigger, url: `${receiver.address}/${trigger}` })
    })

    const fire = async ({ happen }: Recipe) =>
      await runScenario(
        (ask) => happen(ask, undefined),
        async ({ method, path, body, query = [] }) =>
          await core.send(method, path, body, {
            query: query.map(([name, value]) => `${name}=${value}`).join('&'),
          }),
      )

    for (const trigger of SIMULATED_TRIGGERS)
      it(`deliver ${trigger} when its event happens`, async () => {
        const id = await fire(RECIPES[trigger])
        await core.environment.deliver(new AbortController().signal)
        const fired = receiver.received
          .filter(({ path }) => path === `/${trigger}`)
          .map(({ body }) => JSON.parse(body))
          .find((one) => one.triggered_on.id === id)
        const { object } = FIRED[trigger]
        const path = object === 'transaction' ? 'transactions' : `${object}s`
        const { status } = await core.ok('GET', `/${path}/${id}`)
        expect(fired).to.deep.include({ trigger, triggered_on: { id, object, value: status } })
      })

    it('deliver each event once', () => {
      const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
      expect(new Set(ids)).to.have.length(ids.length)
    })
  })
})
