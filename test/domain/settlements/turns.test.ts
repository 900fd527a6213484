import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect } from 'chai'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'

/** Number of payouts that the peer lists, one per second. */
const PAYOUTS = 5

describe('the reading of settlements', () => {
  onDatabases((open) => {
    let core: TestCore
    let gateway: string
    let asked: string[]
    let onAsked: () => void | Promise<void>
    beforeEach(async () => {
      asked = []
      onAsked = () => undefined
      const server = createServer(async ({ url = '' }, response) => {
        const { pathname, searchParams } = new URL(url, 'http://localhost')
        const since = /2026-01-01 00:00:(\d\d)$/.exec(searchParams.get('created_at') ?? '')?.[1]
        const next = since === undefined ? 0 : Number(since) + 1
        const isList = pathname === '/transactions' && searchParams.get('type') === 'deposit|reversal'
        if (isList) {
          asked.push(`txn_${next}`)
          await onAsked()
        }
        const values = isList && next < PAYOUTS ? [payout(next)] : []
        response.end(JSON.stringify({ object: 'list', values }))
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      open.atEnd(async () => {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      })
      const address = server.address()
      core = await openCore(open, { gatewayLoopback: true })
      const added = await core.ok('POST', '/admin/gateways', {
        name: 'up',
        kind: 'peer',
        base_url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
        credentials: { secret_key: 'test_secret_key_of_another' },
        since: '2025-01-01 00:00:00',
      })
      gateway = idOf(added)
    })
    const read = async (stopping?: AbortSignal) =>
      await (await core.environment.atGateway('up')).runDueJob('settlements', stopping)
    const stored = async () =>
      valuesOf(await core.ok('GET', '/admin/settlements', undefined, { query: 'order_by=id' })).map(
        ({ gateway_id: id }) => id,
      )

    it('keeps what it stored before an interruption, and continues from there', async () => {
      const stopping = new AbortController()
      onAsked = () => {
        if (asked.length === 3) stopping.abort()
      }
      await read(stopping.signal)
      expect(await stored()).to.deep.equal(['txn_0', 'txn_1'])
      const [shown] = valuesOf(await core.ok('GET', '/admin/gateways'))
      expect(shown).to.include({ settlements_problem: null })
      await core.ok('POST', '/admin/clock', { by: '1h' })
      expect(await stored()).to.deep.equal(['txn_0', 'txn_1', 'txn_2', 'txn_3', 'txn_4'])
      expect(asked.slice(3)).to.deep.equal(['txn_2', 'txn_3', 'txn_4', 'txn_5'])
    })

    const notify = async () => {
      const body = Buffer.from(
        JSON.stringify({
          id: 'evt_1',
          trigger: 'deposit',
          triggered_on: { object: 'transaction', id: 'dep_1' },
        }),
      )
      expect(await core.app.receiveNotification({ id: gateway, headers: {}, body })).to.equal('stored')
      await (await core.environment.atGateway('up')).handleNotifications()
    }

    it('begins soon after a peer notifies of a deposit', async () => {
      await read()
      asked.length = 0
      await notify()
      await core.ok('POST', '/admin/clock', { by: '1h' })
      expect(asked).to.deep.equal(['txn_5'])
    })

    it('begins soon after a peer has notified of a deposit while its list was read', async () => {
      onAsked = async () => {
        if (asked.length === PAYOUTS + 1) await notify()
      }
      await read()
      asked.length = 0
      await core.ok('POST', '/admin/clock', { by: '1h' })
      expect(asked).to.deep.equal(['txn_5'])
    })
  })
})

function payout(second: number) {
  const created_at = `2026-01-01 00:00:0${second}`
  return {
    object: 'transaction',
    id: `txn_${second}`,
    type: 'deposit',
    status: 'processed',
    amount: 0,
    fee: 0,
    created_at,
  }
}
