import type { GatewayOperation, RemoteGateway } from '../../src/gateways/contract.js'
import { type Behaviour, remoteSimulator } from '../../src/gateways/simulator/remote-simulator.js'
import type { Chance } from '../../test/support/chance.js'
import type { Fate } from './fate.js'

export interface UnreliableGateway extends RemoteGateway {
  /** Executed operations; a repeated reference occurs once. */
  readonly performed: readonly GatewayOperation[]
  /** Whether the operation with a reference was approved, so that the payer was charged. */
  isApproved(reference: string): Promise<boolean>
  /** Lets the payer's bank take back a payment. The gateway will report a chargeback or a return. */
  clawBack(payment: string, amount: number, statusCode: string): void
  /** Lets the merchant win the dispute, so that the money comes back. */
  giveBack(payment: string, amount: number, dispute: string): void
}

/**
 * A gateway outside the simulated process. It loses requests and answers, and keeps its state when the process dies.
 */
export function unreliableGateway(fate: Fate, chance: Chance): UnreliableGateway {
  const inner = remoteSimulator()
  let disputes = 0
  return {
    ...inner,
    async perform(operation) {
      fate.pass()
      inner.script(behaviour(chance))
      const outcome = await inner.perform(operation)
      fate.pass()
      return outcome
    },
    async find(operation, since) {
      fate.pass()
      return await inner.find(operation, since)
    },
    async isApproved(reference) {
      const outcome = await inner.find({ type: 'sale', reference, amount: 0, currency: 'USD' }, { since: 0 })
      return typeof outcome === 'object' && outcome.result === 'approved'
    },
    clawBack(payment, amount, statusCode) {
      const kind = statusCode === 'chargeback' ? 'chargeback' : 'return'
      inner.report({ kind, dispute: `dispute_${++disputes}_${payment}`, payment, amount, statusCode })
    },
    giveBack(payment, amount, dispute) {
      inner.report({ kind: 'dispute_won', dispute, payment, amount, statusCode: 'chargeback' })
    },
  }
}

function behaviour(chance: Chance): Behaviour {
  if (chance.percent(4)) return 'times_out_after'
  return chance.percent(3) ? 'fails_before' : 'answers'
}
