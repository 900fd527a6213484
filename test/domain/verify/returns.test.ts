import { expect } from 'chai'
import { idOf, objectOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing, pay } from '../../support/examples.js'

const STEPS = ['refund', 'chargeback', 'win'] as const
type Step = (typeof STEPS)[number]

describe('returns of a payment of 1.00', () => {
  onDatabases((open) => {
    let core: TestCore
    let processing: string
    before(async () => {
      core = await openCore(open)
      processing = await makeProcessing(core)
      await setFees(core, processing)
    })

    for (const order of orderings(STEPS))
      for (const days of ['0d', '1d'])
        it(`in the order ${order.join(', ')}, ${days} apart, leave the expected status and valid books`, async () => {
          const id = idOf(await pay(core, processing, 1))
          for (const step of order) {
            await core.ok('POST', '/admin/clock', { by: days })
            await take(core, id, step)
          }
          const { findings } = await core.ok('GET', '/admin/verify')
          expect(findings).to.deep.equal([])
          const { status } = await core.ok('GET', `/transactions/${id}`)
          expect(status).to.equal(isRejected(order) ? 'rejected' : 'processed')
        })
  })
})

/** Whether a payment ends rejected: a chargeback takes the rest of it, and the dispute is not won later. */
function isRejected(order: readonly Step[]): boolean {
  const [refund, chargeback, win] = STEPS.map((step) => order.indexOf(step))
  return Number(refund) < Number(chargeback) && Number(win) < Number(chargeback)
}

async function take({ ok, send }: TestCore, id: string, step: Step): Promise<void> {
  const simulated = { event: step === 'win' ? 'dispute_won' : 'chargeback', transaction_id: id }
  const ledger = [{ assoc_transaction_id: id }]
  if (step === 'refund') await ok('POST', '/transactions', { type: 'refund', amount: 0.42, ledger })
  if (step === 'chargeback') await ok('POST', '/admin/simulate', { ...simulated, amount: 0.58 })
  // Without a chargeback, there is no dispute to win.
  if (step === 'win') await send('POST', '/admin/simulate', simulated)
}

async function setFees({ ok }: TestCore, processing: string): Promise<void> {
  const query = 'fields=processing[settings][id]'
  const account = await ok('GET', `/processing_accounts/${processing}`, undefined, { query })
  const fees = { credit_conv_fee_alloc: 50, chargeback_fee: 15 }
  await ok('PUT', `/processing_settings/${idOf(objectOf(objectOf(account.processing).settings))}`, fees)
}

function orderings<T>(of: readonly T[]): T[][] {
  if (of.length === 0) return [[]]
  return of.flatMap((first, n) => orderings(of.filter((_, m) => m !== n)).map((rest) => [first, ...rest]))
}
