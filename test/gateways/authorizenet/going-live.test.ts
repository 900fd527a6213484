import { expect } from 'chai'
import type { Credentials } from '../../../src/gateways/contract.js'
import { CHECKED } from '../contract/checked-gateway.js'
import { type ScriptedPeer, scriptedPeer } from '../peer/scripted-peer.js'
import { type ConnectedRail, connectedRail } from './connected-rail.js'

const OK = { resultCode: 'Ok', message: [{ code: 'I00001', text: 'Successful.' }] }

describe('the rail to Authorize.Net, before live payments,', () => {
  let connected: ConnectedRail
  beforeEach(async () => {
    connected = await connectedRail()
  })
  afterEach(() => connected.stop())

  const statesOf = async (credentials: Credentials = connected.credentials) =>
    ((await connected.rail.check?.(CHECKED, credentials)) ?? []).map(({ name, state }) => `${name} ${state}`)

  it('checks the account, its kinds of method, lists, profiles, keys and the endpoint', async () => {
    expect(await statesOf()).to.deep.equal([
      'account ok',
      'charges ok',
      'cards ok',
      'bank accounts ok',
      'unsettled list ok',
      'customer profiles ok',
      'client key ok',
      'signature key ok',
      'endpoint unavailable',
    ])
    const { login_id, transaction_key } = connected.credentials.secrets
    const unsigned = { ...connected.credentials, secrets: { login_id, transaction_key } }
    expect(await statesOf(unsigned)).to.include('signature key unavailable')
    expect(connected.server.books.taken).to.equal(0)
  })

  it('reports an endpoint that is inactive or lacks events', async () => {
    const { rail, credentials, server } = connected
    await rail.endpoints?.create(CHECKED, credentials)
    expect(await statesOf()).to.include('endpoint ok')
    const [webhook] = server.webhooks.list
    if (!webhook) throw new Error('There is no webhook')
    webhook.status = 'inactive'
    expect(await statesOf()).to.include('endpoint failed')
    server.webhooks.list.splice(0, 1, { ...webhook, status: 'active', eventTypes: [] })
    expect(await statesOf()).to.include('endpoint failed')
  })

  describe('if the account lacks permissions,', () => {
    let server: ScriptedPeer
    before(async () => {
      server = await scriptedPeer()
    })
    after(() => server.close())

    const found = async (code: string, text: string, refused: RegExp) => {
      server.answer = ({ body }) => {
        const [name = ''] = Object.keys(body)
        const error = { messages: { resultCode: 'Error', message: [{ code, text }] } }
        return [
          200,
          refused.test(name) ? error : { merchantName: 'Shop', messages: OK, totalNumInResultSet: 0 },
        ]
      }
      const credentials = { ...connected.credentials, baseUrl: server.address }
      return (await connected.rail.check?.(CHECKED, credentials)) ?? []
    }

    it('reports that the Transaction Details API is off, and where to switch it on', async () => {
      const checks = await found('E00011', 'Access denied.', /^getUnsettled/)
      const [failed] = checks.filter(({ state }) => state === 'failed')
      expect(failed).to.include({ name: 'unsettled list' })
      expect(failed?.found).to.include('E00011: Access denied.').and.include('Transaction Details API')
    })

    it('reports that methods cannot be kept without customer profiles, which is no failure', async () => {
      const checks = await found(
        'E00044',
        'Customer Information Manager is not enabled.',
        /^getCustomerProfile/,
      )
      expect(checks.filter(({ state }) => state === 'failed')).to.deep.equal([])
      expect(checks.find(({ name }) => name === 'customer profiles')).to.include({ state: 'unavailable' })
    })
  })
})
