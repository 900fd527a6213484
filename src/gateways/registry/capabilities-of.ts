import { openRailClient } from '../../platform/network/rail-client.js'
import type { Capabilities } from '../contract.js'
import { rails } from './rails.js'

/** Loads a rail for its capabilities, without credentials; undefined if there is no such kind of rail. */
export async function capabilitiesOf(kind: string): Promise<Capabilities | undefined> {
  const entry = rails[kind]
  if (!entry) return undefined
  const http = openRailClient({ loopback: false })
  try {
    return (await entry.load())({ http, now: () => 0 }).capabilities
  } finally {
    await http.close()
  }
}
