import { randomInt } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { recordNotice } from '../../../src/domain/reconciliation/record-notice.js'
import { ApiError } from '../../../src/engine/core/request/api-error.js'
import type { EmbeddedGateway, FoundOperation } from '../../../src/gateways/contract.js'
import { type RemoteSimulator, remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { simulator } from '../../../src/gateways/simulator/simulator.js'
import { Business } from '../../support/business.js'
import { idOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { pay } from '../../support/examples.js'

/** A step of one payment's life. `share` is a percentage of the payment; `nth` chooses a dispute. */
type Step =
  | { readonly kind: 'charge back' | 'refund' | 'lose' | 'capture a part'; readonly share: number }
  | { readonly kind: 'win'; readonly nth: number }
  | { readonly kind: 'void' | 'capture' | 'cut off' | 'fund' }
  /** Changes made at the remote gateway, without a request of payctl. */
  | { readonly kind: 'voided there' | 'captured there' }
  /** Loses the answer to the next operation; reads the outcomes of pending operations. */
  | { readonly kind: 'lost answer' | 'find out' }
  | { readonly kind: 'refunded there'; readonly share: number }

const of = <const K extends string>(...kinds: K[]) => fc.constantFrom(...kinds)

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: of('charge back', 'refund', 'lose'),
      share: fc.constantFrom(1, 19, 50, 81, 100, 130),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: of('win'), nth: fc.nat({ max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: of('void', 'capture') }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: of('capture a part'), share: fc.constantFrom(1, 50, 99, 100, 101) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: of('cut off', 'fund') }) },
  { weight: 1, arbitrary: fc.record({ kind: of('voided there', 'captured there') }) },
  { weight: 2, arbitrary: fc.record({ kind: of('lost answer', 'find out') }) },
  { weight: 1, arbitrary: fc.record({ kind: of('refunded there'), share: fc.constantFrom(19, 50, 100) }) },
)

/** Number of random stories. Each has its own days on the test clock. */
const RUNS = 10

/** Stories that always run: voids after a dispute was won, and after a partial capture with a lost answer. */
const KNOWN: [boolean, Step[]][] = [
  [false, [{ kind: 'charge back', share: 81 }, { kind: 'win', nth: 0 }, { kind: 'void' }]],
  [
    true,
    [{ kind: 'capture' }, { kind: 'charge back', share: 81 }, { kind: 'win', nth: 0 }, { kind: 'void' }],
  ],
  [false, [{ kind: 'charge back', share: 100 }, { kind: 'win', nth: 0 }, { kind: 'void' }]],
  [
    true,
    [{ kind: 'lost answer' }, { kind: 'capture a part', share: 50 }, { kind: 'void' }, { kind: 'find out' }],
  ],
]

/** A simulator that derives the gateway id of each operation from its reference. */
const naming: EmbeddedGateway = {
  ...simulator,
  perform(operation) {
    const outcome = simulator.perform(operation)
    return { ...outcome, gatewayId: `g_${operation.reference}` }
  },
}

const GATEWAYS: readonly { readonly name: string; readonly gateway: () => RemoteSimulator | undefined }[] = [
  { name: 'decided at once', gateway: () => undefined },
  { name: 'decided by a remote gateway', gateway: () => remoteSimulator(naming) },
]

for (const { name, gateway } of GATEWAYS)
  describe(`disputes, refunds, voids and captures in any order, ${name}`, () => {
    onDatabases((open) => {
      it('leave books in which verify finds no problem after each step', async () => {
        const given = gateway()
        const business = await Business.open(open, given ? { gateway: given } : {})
        const account = await business.account({ credit_conv_fee_alloc: 50, duplicate_window: 0 })
        let day = 0
        const property = fc.asyncProperty(
          fc.boolean(),
          fc.array(steps, { maxLength: 9, size: 'max' }),
          async (isHeld, story) => {
            day += 2
            const at = (hour: number) =>
              business.at(new Date(Date.UTC(2030, 1, day, hour)).toISOString().slice(0, 19).replace('T', ' '))
            at(12)
            const payment = idOf(await pay(business.core, account, 1, isHeld ? { status: 'authorized' } : {}))
            const disputes: string[] = []
            for (const step of story) {
              if (step.kind === 'cut off') at(36)
              else await act({ business, gateway: given, payment, disputes }, step)
              const { findings } = await business.core.ok('GET', '/admin/verify')
              expect(findings, JSON.stringify(story)).to.deep.equal([])
            }
          },
        )
        const options = { numRuns: RUNS, seed: randomInt(2 ** 31), examples: KNOWN, endOnFailure: true }
        await fc.assert(property, options)
      })
    })
  })

describe('a won dispute of a part of a payment', () => {
  onDatabases((open) => {
    it('leaves a payment that can be refunded, but not voided', async () => {
      const business = await Business.open(open)
      const payment = idOf(await pay(business.core, await business.account(), 1))
      await business.simulate('chargeback', payment, { amount: 0.81 })
      expect(await business.simulate('dispute_won', payment)).to.include({ funding_status: 'captured' })
      const { status, body } = await business.core.send('PUT', `/transactions/${payment}`, {
        status: 'voided',
      })
      expect(status).to.equal(400)
      expect(JSON.stringify(body.details)).to.include('it has settled, refund it instead')
      expect(await business.refund(payment, 1)).to.include({ status: 'processed' })
      expect(await business.audit()).to.deep.equal([])
    })
  })
})

/** Ignores the conflict that refuses a notice while an operation on the payment is pending. */
function throwUnlessBusy(error: unknown): void {
  if (!(error instanceof ApiError) || error.type !== 'Conflict') throw error
}

interface Stage {
  readonly business: Business
  readonly gateway: RemoteSimulator | undefined
  readonly payment: string
  /** Ids of the disputes that may be won. */
  readonly disputes: string[]
}

/** Performs a step of the story; its request may be refused. */
async function act(
  { business: { core }, gateway, payment, disputes }: Stage,
  step: Exclude<Step, { kind: 'cut off' }>,
): Promise<void> {
  const told = async (more: Partial<FoundOperation>) => {
    if (!gateway) return
    const query = 'fields=amount,conv_fee'
    const row = await core.ok('GET', `/transactions/${payment}`, undefined, { query })
    const amount = more.amount ?? Math.round((Number(row.amount) + Number(row.conv_fee)) * 100)
    const outcome = { result: 'approved', amount, gatewayId: `g_${payment}_${amount}` } as const
    const notice = { kind: 'operation', reference: payment, type: 'sale', amount, outcome, ...more } as const
    const recording = core.environment.core.write((work) => recordNotice(work, gateway, notice))
    await recording.catch(throwUnlessBusy)
  }
  const change = async (status: string) => await core.send('PUT', `/transactions/${payment}`, { status })
  const dispute = async (event: string, name: string, amount?: number) =>
    await core.send('POST', '/admin/disputes', {
      event,
      transaction_id: payment,
      dispute: name,
      ...(amount !== undefined && { amount }),
    })
  switch (step.kind) {
    case 'void':
      return void (await change('voided'))
    case 'capture':
      return void (await change('processed'))
    case 'capture a part':
      return void (await core.send('POST', `/transactions/${payment}/capture`, { amount: step.share / 100 }))
    case 'fund':
      return void (await core.ok('POST', '/admin/funding/run', {}))
    case 'refund': {
      const ledger = [{ assoc_transaction_id: payment }]
      const body = { type: 'refund', amount: step.share / 100, ledger }
      return void (await core.send('POST', '/transactions', body))
    }
    case 'charge back':
    case 'lose': {
      // A lost dispute is a chargeback that is never won.
      const name = `dp_${payment}_${disputes.length}`
      if (step.kind === 'charge back') disputes.push(name)
      return void (await dispute(
        'chargeback',
        step.kind === 'lose' ? `${name}_lost` : name,
        step.share / 100,
      ))
    }
    case 'lost answer':
      return gateway?.script('times_out_after')
    case 'find out':
      return void (await core.environment.reconcile(0))
    case 'voided there':
      return await told({ state: 'voided' })
    case 'captured there':
      return await told({ state: 'captured' })
    case 'refunded there':
      return await told({
        reference: 'of nobody',
        type: 'refund',
        amount: step.share,
        parent: `g_${payment}`,
      })
    case 'win':
      return void (await dispute('dispute_won', disputes[step.nth % disputes.length] ?? 'dp_none'))
  }
}
