import { expect } from 'chai'
import type { Gateway } from '../../../src/gateways/contract.js'
import { remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { simulator } from '../../../src/gateways/simulator/simulator.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { Business } from '../../support/business.js'
import { idOf, type TestCore } from '../../support/core.js'
import { type Databases, onDatabases } from '../../support/databases.js'
import { pay } from '../../support/examples.js'
import {
  type RecordedRequest,
  type RecordingGateway,
  recordingGateway,
} from '../../support/recording-gateway.js'

export const VISA = '4242424242424242'
/** Settings by which the payer bears half of a card's fee (1.17 for 29.99), and all of a bank account's fee (0.30). */
export const FEES_OF_PAYER = {
  credit_conv_fee_alloc: 50,
  debit_conv_fee_alloc: 50,
  bank_account_conv_fee_alloc: 100,
}

type RequestType = RecordedRequest['type']

/** Builds an expected request with a method: a sale, an authorization, a refund without a payment, or a credit. */
export function beginning(
  type: RequestType,
  reference: string,
  amount: number,
  number = VISA,
  initiator: RecordedRequest['initiator'] = 'payer',
): RecordedRequest {
  return { type, amount, currency: 'USD', reference, parent: undefined, number, initiator }
}

/** Builds an expected request on a payment: a capture, a void or a refund. */
export function following(
  type: RequestType,
  parent: string,
  reference: string,
  amount: number,
): RecordedRequest {
  return { type, amount, currency: 'USD', reference, parent, number: undefined, initiator: undefined }
}

/** A business whose gateway records every request, with an account whose payers bear fees. */
export class Recorded {
  private constructor(
    readonly business: Business,
    readonly recording: RecordingGateway,
    readonly account: string,
  ) {}

  static async open(open: Databases, gateway: Gateway): Promise<Recorded> {
    const recording = recordingGateway(gateway)
    const business = await Business.open(open, { gateway: recording.gateway })
    return new Recorded(business, recording, await business.account(FEES_OF_PAYER))
  }

  get core(): TestCore {
    return this.business.core
  }

  /** Takes a payment; returns its id. */
  async take(amount: number, more: JsonObject = {}, account = this.account): Promise<string> {
    return idOf(await pay(this.core, account, amount, more))
  }

  async become(payment: string, status: string) {
    return await this.core.send('PUT', `/transactions/${payment}`, { status })
  }

  /** Checks that exactly these requests have arrived since the last check. */
  expectRequests(...expected: RecordedRequest[]): void {
    expect(this.recording.takeRequests()).to.deep.equal(expected)
  }

  /** Checks that exactly one capture or void has arrived, with a new reference `op_…`. */
  expectFollowing(type: 'capture' | 'void', parent: string, amount: number): void {
    const requests = this.recording.takeRequests()
    const reference = requests[0]?.reference ?? ''
    expect(requests).to.deep.equal([following(type, parent, reference, amount)])
    expect(reference).to.match(/^op_\w+$/)
  }
}

const GATEWAYS: [string, () => Gateway][] = [
  ['an embedded gateway', () => simulator],
  ['a remote gateway', () => remoteSimulator()],
]

/**
 * Runs tests with an embedded and with a remote gateway, on each database. Every test must expect all requests that it
 * causes.
 */
export function onEachGateway(what: string, define: (recorded: () => Recorded) => void): void {
  for (const [kind, make] of GATEWAYS)
    describe(`the request to ${kind} for ${what}`, () => {
      onDatabases((open) => {
        let recorded: Recorded
        before(async () => {
          recorded = await Recorded.open(open, make())
        })
        afterEach(() => recorded.expectRequests())
        define(() => recorded)
      })
    })
}
