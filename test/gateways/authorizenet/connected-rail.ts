import { authorizenetRail } from '../../../src/gateways/authorizenet/authorizenet-rail.js'
import type { Credentials, GatewayOperation, Rail } from '../../../src/gateways/contract.js'
import {
  openRailClient,
  type RailClient,
  type RailRequest,
} from '../../../src/platform/network/rail-client.js'
import { AuthorizeNetServer, LOGIN, SIGNATURE_KEY, TRANSACTION_KEY } from './authorizenet-server.js'

/** The rail, connected over HTTP to the test server of Authorize.Net's wire format. */
export interface ConnectedRail {
  readonly server: AuthorizeNetServer
  readonly rail: Rail
  readonly credentials: Credentials
  /** Returns the rail with a time limit in milliseconds for each request. */
  impatient(milliseconds: number): Rail
  /** Returns the rail. `look` is called with each request after its answer. */
  watched(look: (request: RailRequest) => void): Rail
  stop(): Promise<void>
}

export async function connectedRail(): Promise<ConnectedRail> {
  const server = new AuthorizeNetServer()
  const http = openRailClient({ loopback: true })
  const effects = (client: RailClient) => ({ http: client, now: () => server.time })
  const baseUrl = await server.start()
  const secrets = { login_id: LOGIN, transaction_key: TRANSACTION_KEY, signature_key: SIGNATURE_KEY }
  return {
    server,
    rail: authorizenetRail(effects(http)),
    credentials: { environment: 'live', baseUrl, secrets },
    impatient: (milliseconds) =>
      authorizenetRail(effects({ ...http, send: (request) => http.send({ ...request, milliseconds }) })),
    watched: (look) => {
      const send: RailClient['send'] = async (request) => {
        const answer = await http.send(request)
        look(request)
        return answer
      }
      return authorizenetRail(effects({ ...http, send }))
    },
    async stop() {
      await http.close()
      await server.stop()
    },
  }
}

let count = 0

/** Builds a card payment of 29.99, with a new reference and invoice number. */
export function payment(more: Partial<GatewayOperation> = {}): GatewayOperation {
  count++
  return {
    type: 'sale',
    reference: `trx_${String(count).padStart(22, '0')}`,
    refNumber: `K7QMT4X9PB${String(count).padStart(6, '2')}`,
    amount: 2999,
    currency: 'USD',
    method: {
      type: 'card',
      number: '5424000000000015',
      expiry: '12/29',
      cardCode: '999',
      holder: 'Ellen Mary Johnson',
      street: '14 Main Street',
      city: 'Pecan Springs',
      state: 'TX',
      postalCode: '44628',
      country: 'US',
    },
    ...more,
  }
}

/** Builds an operation on a payment, as the domain does. */
export function on(
  parent: GatewayOperation,
  gatewayId: string | null | undefined,
  more: Partial<GatewayOperation> & Pick<GatewayOperation, 'type'>,
): GatewayOperation {
  const { method: _, ...rest } = payment({ amount: parent.amount, ...more })
  return {
    ...rest,
    parent: { reference: parent.reference, gatewayId: gatewayId ?? null, lastDigits: '0015' },
  }
}

/** Returns the reason with which a promise rejects, or `{ resolved: value }`. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    (value) => ({ resolved: value }),
    (error: unknown) => error,
  )
}
