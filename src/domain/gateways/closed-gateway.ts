import type { Capabilities, RemoteGateway } from '../../gateways/contract.js'

/** Nothing is sent, so that nothing is refused for what the rail cannot do: the answer says why instead. */
const ANY: Capabilities = {
  methods: ['card', 'bank_account'],
  bankNumbers: true,
  partialRefund: true,
  partialCapture: true,
  voidCaptured: 'void',
  refundBeforeSettlement: true,
  authorizationLifetime: Number.POSITIVE_INFINITY,
  tokens: false,
  authentication: false,
  store: false,
  idempotency: 'search',
  horizon: Number.POSITIVE_INFINITY,
  reports: {
    fees: false,
    payouts: false,
    disputes: false,
    failedRefunds: false,
    failedPayouts: false,
    reserves: false,
  },
}

/** A gateway whose configuration is not as payctl wrote it: nothing is sent or read there, and answers say why. */
export function closedGateway(name: string, problem: string): RemoteGateway {
  const refuse = (): Promise<never> => Promise.reject(new Error(problem))
  return {
    kind: 'remote',
    name,
    capabilities: ANY,
    // Not noted as a cause: it is over as soon as the row is as it was.
    perform: async () => ({ result: 'misconfigured', scope: 'gateway', problem, isRepeated: true }),
    find: async () => 'cannot_say',
    notifications: refuse,
    read: refuse,
    settlements: refuse,
    operations: () => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) }),
    check: async () => [{ name: 'configuration', state: 'failed', found: problem }],
  }
}
