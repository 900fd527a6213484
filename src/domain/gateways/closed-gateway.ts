import { type Capabilities, NO_REPORTS, type RemoteGateway } from '../../gateways/contract.js'

/**
 * Declares every capability, so that no request is refused as unsupported by the rail. Requests are never sent: the
 * answer gives the reason.
 */
const ANY: Capabilities = {
  methods: ['card', 'bank_account'],
  bankNumbers: true,
  partialRefund: true,
  partialCapture: true,
  voidCaptured: 'void',
  refundBeforeSettlement: true,
  settlesRefunded: true,
  authorizationLifetime: Number.POSITIVE_INFINITY,
  tokens: false,
  authentication: false,
  store: false,
  idempotency: 'search',
  horizon: Number.POSITIVE_INFINITY,
  reports: NO_REPORTS,
}

/**
 * Replaces a gateway whose configuration was changed outside payctl. It never calls the gateway, and its answers have
 * `problem` as their reason.
 */
export function closedGateway(name: string, problem: string): RemoteGateway {
  const refuse = (): Promise<never> => Promise.reject(new Error(problem))
  return {
    kind: 'remote',
    name,
    capabilities: ANY,
    // `isRepeated` prevents that this problem is recorded as a cause, because the problem ends as soon as the row is
    // restored.
    perform: async () => ({ result: 'misconfigured', scope: 'gateway', problem, isRepeated: true }),
    find: async () => 'cannot_say',
    notifications: refuse,
    read: refuse,
    settlements: refuse,
    operations: () => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) }),
    check: async () => [{ name: 'configuration', state: 'failed', found: problem }],
  }
}
