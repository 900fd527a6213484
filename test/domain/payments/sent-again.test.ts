import { expect } from 'chai'
import type { ApiResponse } from '../../../src/engine/core/request/request.js'
import { type RemoteSimulator, remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { Business } from '../../support/business.js'
import { idOf, list, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, pay } from '../../support/examples.js'

const NOT_SENT = { result: 'not_sent', problem: 'refused' } as const
const AT_ONCE = 12

describe('a request that is sent again under its idempotency key', () => {
  onDatabases((open) => {
    let gateway: RemoteSimulator
    let business: Business
    let core: TestCore
    let account: string
    beforeEach(async () => {
      gateway = remoteSimulator()
      business = await Business.open(open, { gateway })
      core = business.core
      account = await business.account()
    })
    afterEach(async () => expect(await business.audit()).to.deep.equal([]))

    const payment = (amount: number) => ({
      type: 'payment',
      amount,
      processing_id: account,
      payment_method: card(),
    })
    const performed = () => gateway.performed.map(({ type, amount }) => `${type} ${amount}`)
    const isReplay = ({ headers }: ApiResponse) => 'Idempotent-Replay' in headers
    const shown = ({ body }: ApiResponse) => valuesOf(body).map(({ amount, status }) => `${amount} ${status}`)

    /** Runs `job` while another process completes pending answers all the time. */
    async function whileCompleting<T>(job: () => Promise<T>): Promise<T> {
      const other = await business.another(open, { gateway })
      let isOver = false
      const completing = (async () => {
        while (!isOver) {
          await other.environment.core.completeAnswers()
          await new Promise(setImmediate)
        }
      })()
      try {
        return await job()
      } finally {
        isOver = true
        await completing
      }
    }

    it('makes no second payment of a list of which the gateway could not be reached for one', async () => {
      gateway.script('answers', NOT_SENT)
      const send = () =>
        core.send('POST', '/transactions', list([11, 12].map(payment)), { idempotencyKey: 'list' })
      const first = await send()
      expect(shown(first)).to.deep.equal(['11 processed', '12 declined'])
      const again = await send()
      expect([again.status, isReplay(again), shown(again)]).to.deep.equal([200, true, shown(first)])
      expect(performed().filter((each) => each === 'sale 1100')).to.have.length(1)
    })

    it('is executed again if the gateway could not be reached: payments', async () => {
      gateway.script(...Array.from({ length: AT_ONCE }, () => NOT_SENT))
      const send = (n: number) =>
        core.send('POST', '/transactions', payment(n + 10), { idempotencyKey: `payment ${n}` })
      const numbers = Array.from({ length: AT_ONCE }, (_, n) => n)
      const first = await whileCompleting(() => Promise.all(numbers.map(send)))
      expect(new Set(first.map(({ status }) => status))).to.deep.equal(new Set([503]))
      for (const n of numbers)
        expect((await send(n)).body).to.include({ status: 'processed', amount: n + 10 })
      for (const n of numbers) expect(isReplay(await send(n))).to.equal(true)
    })

    it('is executed again if the gateway could not be reached: voids', async () => {
      const payments: string[] = []
      for (let n = 0; n < AT_ONCE; n++) payments.push(idOf(await pay(core, account, n + 10)))
      gateway.script(...Array.from({ length: AT_ONCE }, () => NOT_SENT))
      const send = (id: string) =>
        core.send('PUT', `/transactions/${id}`, { status: 'voided' }, { idempotencyKey: id })
      const first = await whileCompleting(() => Promise.all(payments.map(send)))
      expect(new Set(first.map(({ status }) => status))).to.deep.equal(new Set([503]))
      for (const id of payments) expect((await send(id)).body).to.include({ id, status: 'voided' })
    })
  })
})
