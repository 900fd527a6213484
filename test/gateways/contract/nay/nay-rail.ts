import type { Rail, RailEffects } from '../../../../src/gateways/contract.js'

/** The example rail of docs/gateways.md, word for word; a test compares both. */
export function nayRail(_: RailEffects): Rail {
  return {
    capabilities: {
      methods: ['card'],
      bankNumbers: false,
      partialRefund: false,
      partialCapture: false,
      voidCaptured: 'no',
      refundBeforeSettlement: false,
      settlesRefunded: false,
      authorizationLifetime: 7 * 86_400_000,
      tokens: false,
      authentication: false,
      store: false,
      idempotency: 'key',
      horizon: 0,
      reports: {
        fees: false,
        payouts: false,
        disputes: false,
        failedRefunds: false,
        failedPayouts: false,
        reserves: false,
      },
    },
    perform: async () => ({ result: 'declined', statusCode: 'declined' }),
    find: async () => 'never_seen',
  }
}
