import { expect } from 'chai'
import { drilledSimulator } from '../../src/gateways/simulator/drill.js'
import { idOf, openCore, type TestCore } from '../support/core.js'
import { onDatabases } from '../support/databases.js'
import { card, makeProcessing } from '../support/examples.js'

/** Randomness of zeroes only: every fault with a percentage above 0 happens. */
const random = { bytes: (length: number) => new Uint8Array(length) }
const calm = { latency: 0, failRate: 0, loseAnswers: 0 }

describe('a drilled simulator', () => {
  it('answers late', async () => {
    const late: (() => void)[] = []
    const timers = {
      after(_: number, then: () => void) {
        late.push(then)
        return () => undefined
      },
    }
    const gateway = drilledSimulator({ ...calm, latency: 300 }, { random, timers })
    let isAnswered = false
    const answer = gateway
      .perform({ type: 'sale', reference: 'txn_1', amount: 100, currency: 'USD' })
      .then((outcome) => {
        isAnswered = true
        return outcome
      })
    await new Promise(setImmediate)
    expect(isAnswered).to.equal(false)
    for (const go of late) go()
    expect(await answer).to.include({ result: 'approved' })
  })

  onDatabases((open) => {
    const drilled = async (drill: Partial<typeof calm>) => {
      const core = await openCore(open, { drill: { ...calm, ...drill } })
      const body = { type: 'payment', amount: 10, payment_method: card() }
      const processing_id = await makeProcessing(core)
      return { core, pay: () => core.send('POST', '/transactions', { ...body, processing_id }) }
    }
    const statusOf = async (core: TestCore, id: string) =>
      (await core.ok('GET', `/transactions/${id}`)).status

    it('fails with 503, and takes no payment', async () => {
      const { pay } = await drilled({ failRate: 100 })
      const { status, headers } = await pay()
      expect(status).to.equal(503)
      expect(headers).to.have.property('Retry-After')
    })

    it('loses answers, whose outcomes are found later', async () => {
      const { core, pay } = await drilled({ loseAnswers: 100 })
      const { body } = await pay()
      expect(body).to.include({ status: 'processing' })
      await core.environment.reconcile(0)
      expect(await statusOf(core, idOf(body))).to.equal('processed')
    })
  })
})
