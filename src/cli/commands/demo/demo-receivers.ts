import type { Outgoing } from '../../../platform/network/outgoing.js'

/** Addresses that the demo's webhooks notify: names that no resolver knows, so that no event leaves this machine later. */
export const RECEIVERS = {
  shop: 'https://shop.example/hooks/payments',
  books: 'https://books.example/hooks/deposits',
} as const

/** Receivers inside this process: the shop takes each event, and the bookkeeping is down. */
export const demoReceivers: Outgoing = {
  async post({ url }) {
    return url === RECEIVERS.shop
      ? { status: 200, body: '{"received":true}' }
      : { status: 503, body: 'Down for maintenance' }
  },
  close: async () => undefined,
}
