import type { Outgoing } from '../../../platform/network/outgoing.js'

/**
 * Addresses of the demo's webhooks. Their names cannot be resolved, so that no event leaves this machine
 * later.
 */
export const RECEIVERS = {
  shop: 'https://shop.example/hooks/payments',
  books: 'https://books.example/hooks/deposits',
} as const

/** Receivers inside this process: the shop accepts each event, and the receiver of the bookkeeping answers 503. */
export const demoReceivers: Outgoing = {
  async post({ url }) {
    return url === RECEIVERS.shop
      ? { status: 200, body: '{"received":true}' }
      : { status: 503, body: 'Down for maintenance' }
  },
  close: async () => undefined,
}
