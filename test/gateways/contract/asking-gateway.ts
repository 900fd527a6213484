import type {
  DeclinedOutcome,
  FoundOutcome,
  GatewayOperation,
  RemoteGateway,
} from '../../../src/gateways/contract.js'

/** Card whose payer has to authenticate. */
export const ASKED = '4000002760003184'

const CANCELLED: DeclinedOutcome = { result: 'declined', statusCode: 'voided' }
const REFUSED: DeclinedOutcome = { result: 'declined', statusCode: 'authentication_required' }

/** Wraps a gateway so that the payer of the card `ASKED` must authenticate at a page of the bank. */
export function askingGateway(within: RemoteGateway) {
  const states = new Map<string, { readonly operation: GatewayOperation; outcome: FoundOutcome }>()
  const action = ({ reference, returnUrl = '' }: GatewayOperation): FoundOutcome => ({
    result: 'action',
    gatewayId: `there_${reference}`,
    redirect: `https://bank.example/${reference}?back=${encodeURIComponent(returnUrl)}`,
  })
  const gateway: RemoteGateway = {
    ...within,
    capabilities: { ...within.capabilities, authentication: true },
    async perform(operation) {
      if (operation.method?.number !== ASKED) return await within.perform(operation)
      const state = states.get(operation.reference) ?? { operation, outcome: action(operation) }
      states.set(operation.reference, state)
      if (typeof state.outcome === 'string') throw new Error('It is in no state')
      return state.outcome
    },
    async find(operation, sent) {
      return states.get(operation.reference)?.outcome ?? (await within.find(operation, sent))
    },
    async cancel(operation, sent) {
      const state = states.get(operation.reference)
      if (!state) return await within.find(operation, sent)
      if (typeof state.outcome === 'object' && state.outcome.result === 'action') state.outcome = CANCELLED
      return state.outcome
    },
  }
  return {
    gateway,
    /** Lets the payer of an operation authenticate (`passes`) or refuse. */
    async answer(reference: string, passes: boolean): Promise<void> {
      const state = states.get(reference)
      if (state) state.outcome = passes ? await paid(within, state.operation) : REFUSED
    },
  }
}

async function paid(within: RemoteGateway, operation: GatewayOperation): Promise<FoundOutcome> {
  const { method } = operation
  const outcome = await within.perform({
    ...operation,
    ...(method && { method: { ...method, number: '4242424242424242' } }),
  })
  if (outcome.result === 'not_sent' || outcome.result === 'misconfigured') throw new Error(outcome.problem)
  return outcome
}
