import { openAuthorizeNetWire } from './authorizenet-wire.js'
import type { PeerPlace, Time, WireServer } from './opened-rail.js'
import { openPeerWire } from './peer-wire.js'
import { openStripeWire } from './stripe-wire.js'

/** The rails that leave the machine. */
export const RAILS = ['peer', 'stripe', 'authorizenet'] as const

/** Starts the server of a rail's wire format. */
export const wireServers: Readonly<
  Record<(typeof RAILS)[number], (time: Time, place: PeerPlace) => Promise<WireServer>>
> = { peer: openPeerWire, stripe: openStripeWire, authorizenet: openAuthorizeNetWire }

/** The time as it is. */
export const realTime: Time = {
  get now() {
    return Date.now()
  },
}
