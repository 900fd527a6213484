import { StartProblem } from './start-problem.js'

/** Attributes of a payment that the shop reads. */
export interface Payment {
  readonly id: string
  readonly type: string
  readonly status: string
  /** Amount in the currency's unit, such as 29.99. */
  readonly amount: number
  readonly processing_id: string | null
  readonly order_number: string | null
}

/** Attributes of a payment that a client key fixes. */
export interface Terms {
  readonly amount: number
  readonly processing_id: string
  readonly order_number: string
  readonly description: string
}

/** The requests that the shop's server sends with its secret key. */
export interface PaymentService {
  /** Address of the service, from which the page loads its script. */
  readonly address: string
  /** Id of the processing account that receives the shop's payments. Throws a `StartProblem` if there is none. */
  account(): Promise<string>
  /** Makes a client key that authorizes a payment with these terms, on pages of one origin, for an hour. */
  makeClientKey(terms: Terms, origin: string): Promise<string>
  /** A payment; undefined if the key can read none with this id. */
  payment(id: string): Promise<Payment | undefined>
  /** Payments of an order, newest first. */
  paymentsOf(orderNumber: string): Promise<readonly Payment[]>
  capture(id: string): Promise<void>
  /** Releases an authorization that is not captured. */
  release(id: string): Promise<void>
}

/** Instruction that makes a secret key for the shop. */
export const MAKE_KEY = 'export SHOP_KEY=$(payctl keys create -o csv --columns secret_key | tail -n 1)'

const HOUR = 3_600_000
const ID = /^txn_[0-9A-Za-z]+$/

/** Client of the payment service at an address, with a secret key. */
export function paymentService(address: string, secretKey: string): PaymentService {
  const send = async (method: string, path: string, body?: object): Promise<Response> =>
    await fetch(address + path, {
      method,
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new StartProblem(`Nobody answers at ${address}: start payctl serve, or correct SHOP_SERVICE`, {
        cause,
      })
    })
  /** Answer to a request that must succeed; `T` is the documented shape. */
  const answer = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await send(method, path, body)
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return JSON.parse(await response.text())
  }
  return {
    address,
    async account() {
      const response = await send('GET', '/processing_accounts?limit=1')
      const { status, headers } = response
      if (!headers.has('x-api-version'))
        throw new StartProblem(`${address} is no payctl serve: start payctl serve, or correct SHOP_SERVICE`)
      if (status === 401 || status === 403)
        throw new StartProblem(`The service at ${address} refuses SHOP_KEY: ${MAKE_KEY}`)
      if (!response.ok)
        throw new StartProblem(
          `The service at ${address} answers ${status}: look at what payctl serve prints`,
        )
      const { values }: { values: { id: string }[] } = JSON.parse(await response.text())
      if (!values[0])
        throw new StartProblem('The service has no processing account: payctl processing-accounts create')
      return values[0].id
    },
    async makeClientKey(terms, origin) {
      const { id } = await answer<{ id: string }>('POST', '/access_tokens', {
        type: 'client',
        intent: { payment_form: { payment: { ...terms, status: 'authorized' } } },
        origins: [origin],
        expires_at: new Date(Date.now() + HOUR).toISOString(),
      })
      return id
    },
    async payment(id) {
      // The id comes from the page: `..` would direct the secret key to another path.
      if (!ID.test(id)) return undefined
      const response = await send('GET', `/transactions/${id}`)
      if (response.status === 404) return undefined
      if (!response.ok) throw new Error(`GET /transactions: ${response.status} ${await response.text()}`)
      return JSON.parse(await response.text())
    },
    async paymentsOf(orderNumber) {
      const query = new URLSearchParams({ order_number: orderNumber, type: 'payment' })
      const { values } = await answer<{ values: Payment[] }>('GET', `/transactions?${query}`)
      return values
    },
    async capture(id) {
      await answer('PUT', `/transactions/${id}`, { status: 'processed' })
    },
    async release(id) {
      await answer('PUT', `/transactions/${id}`, { status: 'voided' })
    },
  }
}
