import { openAuthorizeNetWire } from './authorizenet-wire.js'
import type { PeerPlace, Time, WireServer } from './opened-rail.js'
import { openPeerWire } from './peer-wire.js'
import { openStripeWire } from './stripe-wire.js'

/** Rails that call other machines. */
export const RAILS = ['peer', 'stripe', 'authorizenet'] as const

/** Functions that start the test server of a rail's wire format, by rail. */
export const wireServers: Readonly<
  Record<(typeof RAILS)[number], (time: Time, place: PeerPlace) => Promise<WireServer>>
> = { peer: openPeerWire, stripe: openStripeWire, authorizenet: openAuthorizeNetWire }

/** The current time. */
export const realTime: Time = {
  get now() {
    return Date.now()
  },
}
