import { expect } from 'chai'
import { isObject } from '../../../src/cli/terminal/input/body.js'
import type { JsonObject } from '../../../src/schema/json.js'
import type { ContractCase } from './contract-case.js'

/** Tests of `gateways test`, and of endpoints for notifications. */
export function goingLive(opened: () => ContractCase): void {
  const states = ({ checks }: JsonObject, state: string) =>
    (Array.isArray(checks) ? checks.filter(isObject) : [])
      .filter((check) => check.state === state)
      .map(({ name }) => name)

  it('checks whether the gateway is ready for live payments, and names failed checks', async () => {
    const on = opened()
    const { status, body } = await on.act('test')
    expect(status, JSON.stringify(body)).to.equal(200)
    expect(states(body, 'failed'), JSON.stringify(body.checks)).to.deep.equal([])
    expect(states(body, 'ok')).to.include('account')
    expect(states(body, 'unavailable')).to.include('endpoint')
    await on.configure({ credentials: on.wrongCredentials() })
    const wrong = await on.act('test')
    expect(wrong.status).to.equal(200)
    expect(states(wrong.body, 'failed')).to.deep.equal(['account'])
    expect(wrong.body.problem).to.match(/^account: /)
    await on.configure({ credentials: on.wire.configuration.credentials })
    expect((await on.act('test')).body).to.include({ problem: null })
  })

  it('creates one endpoint for notifications, stores its secret, and removes the endpoint', async () => {
    const on = opened()
    const list = async () => (await on.gateway.endpoints?.list()) ?? []
    expect(await list()).to.deep.equal([])
    const made = await on.act('endpoint')
    expect(made.status, JSON.stringify(made.body)).to.equal(200)
    const first = await list()
    expect(new Set(first.map(({ url }) => url))).to.deep.equal(new Set([made.body.notifications_url]))
    expect(states((await on.act('test')).body, 'ok')).to.include('endpoint')
    expect((await on.act('endpoint')).status).to.equal(200)
    const second = await list()
    expect(second).to.have.lengthOf(first.length)
    expect(second.map(({ id }) => id)).to.not.include.members(first.map(({ id }) => id))
    expect((await on.act('remove_endpoint')).status).to.equal(200)
    expect(await list()).to.deep.equal([])
    await on.configure({ credentials: on.wire.configuration.credentials })
  })
}
