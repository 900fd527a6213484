import { connectGateway } from '../../../src/gateways/registry/connected-gateway.js'
import type { RailEntry } from '../../../src/gateways/registry/rails.js'
import { type Behaviour, remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { systemClock } from '../../../src/platform/clock.js'
import { openRailClient } from '../../../src/platform/network/rail-client.js'
import { card } from '../../support/examples.js'
import type { Fault } from './faulty-network.js'
import type { Declining, InProcess } from './opened-rail.js'

const BEHAVIOURS: Readonly<Record<Fault, Behaviour>> = {
  lost_before: 'fails_before',
  unavailable: 'fails_before',
  too_many: { result: 'not_sent', problem: 'Slow down', isReached: true, retryAfter: 7 },
  lost_after: 'times_out_after',
  fails_after: 'times_out_after',
  malformed: 'times_out_after',
  huge: 'times_out_after',
  mixed_up: 'times_out_after',
  names_more: 'answers',
  odd_state: 'times_out_after',
  odd_type: 'times_out_after',
  stuck: 'answers',
  arrives_late: 'arrives_late',
  slow: 'answers_later',
}

/** Declines by payctl's own test card numbers, in the order of their last digits. */
export const TEST_DECLINES: readonly Declining[] = [
  'card_expired',
  'duplicate_attempt',
  'exceeded_limit',
  'general_decline',
  'insufficient_bal',
  'invalid_card_code',
  'invalid_card_number',
  'invalid_zip',
  'suspicious_activity',
  'too_many_attempts',
].map((statusCode, index) => ({ statusCode, method: card(`411111111111990${index}`) }))

/** Opens the simulator as a remote gateway. */
export async function openRemoteSimulator(): Promise<InProcess> {
  const gateway = remoteSimulator()
  return {
    gateway,
    declines: TEST_DECLINES,
    fault: (fault) => gateway.script(BEHAVIOURS[fault]),
    release: gateway.release,
  }
}

/** Opens the example rail of docs/gateways.md, which declines everything. */
export async function openNay(): Promise<InProcess> {
  const http = openRailClient({ loopback: false })
  const secrets = {}
  return {
    gateway: await connectGateway(nayEntry, {
      name: 'nay',
      http,
      clock: systemClock,
      stopwatch: systemClock,
      onCall: () => undefined,
      credentials: { environment: 'test', baseUrl: 'https://nay.example', secrets },
    }),
    declines: [
      { statusCode: 'declined', method: card() },
      { statusCode: 'declined', method: card('5555555555554444') },
    ],
  }
}

const nayEntry: RailEntry = {
  title: 'nobody: it declines everything',
  secrets: [],
  baseUrl: undefined,
  load: async () => (await import('./nay/nay-rail.js')).nayRail,
}
