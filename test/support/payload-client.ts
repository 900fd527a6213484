import { createRequire } from 'node:module'
import { checkExchange } from './contract/checked-fetch.js'

/**
 * The published npm client for this API. Its own types omit features (sessions, addresses, models called
 * without `new`), so these types declare what the journeys use.
 */
export interface PayloadClient {
  apiUrl: string
  defaultHeaders: object
  Session(apiKey: string, options?: { apiVersion?: string }): PayloadClient
  create<D extends object | readonly object[]>(
    data: D,
  ): Promise<D extends readonly object[] ? Model[] : Model>
  select(model: ModelOf, ...fields: string[]): Request
  update(changes: readonly (readonly [Model, object])[]): Promise<Model[]>
  delete(models: readonly Model[]): Promise<unknown>
  readonly attr: { readonly amount: Attribute; readonly email: Attribute; readonly description: Attribute }
  readonly Customer: ModelOf
  readonly ProcessingAccount: ModelOf
  readonly Transaction: ModelOf
  readonly Payment: ModelOf
  readonly Refund: ModelOf
  readonly Ledger: ModelOf
  readonly PaymentMethod: ModelOf
  readonly Card: ModelOf
  readonly BankAccount: ModelOf
  readonly BillingSchedule: ModelOf
  readonly BillingCharge: ModelOf
  readonly Invoice: ModelOf
  readonly InvoiceAttachment: ModelOf
  readonly LineItem: ModelOf
  readonly ChargeItem: ModelOf
  readonly PaymentItem: ModelOf
  readonly Org: ModelOf
  readonly PaymentLink: ModelOf
  readonly PaymentActivation: ModelOf
  readonly ClientToken: ModelOf
  readonly Webhook: ModelOf
  readonly NotFound: ErrorClass
  readonly BadRequest: ErrorClass
  readonly InvalidAttributes: ErrorClass
  readonly Unauthorized: ErrorClass
  readonly Forbidden: ErrorClass
}

export interface ModelOf {
  (attributes: object): Model
  get(id: string): Promise<Model>
  create(attributes?: object): Promise<Model>
  select(...fields: string[]): Request
  filterBy(...filters: (object | Filter)[]): Request
}

export interface Model {
  readonly id: string
  readonly object: string
  readonly ledger?: readonly Model[]
  readonly [attribute: string]: unknown
  update(changes: object): Promise<Model>
  delete(): Promise<Model>
}

export interface Request extends PromiseLike<Model[]> {
  select(...fields: string[]): Request
  filterBy(...filters: (object | Filter)[]): Request
  orderBy(...attributes: string[]): Request
  limit(count: number): Request
  offset(count: number): Request
  get(id: string): Promise<Model>
  update(changes: object): Promise<Model[]>
  delete(): Promise<unknown>
}

interface Filter {
  readonly op: string
}

interface Attribute {
  gt(value: unknown): Filter
  lt(value: unknown): Filter
  ne(value: unknown): Filter
  contains(value: string): Filter
}

interface ErrorClass {
  new (description: string): Error
}

const require = createRequire(import.meta.url)
const { default: payload }: { default: PayloadClient } = require('payload-api')

/** The parts of the client's HTTP library that are needed here. */
interface Axios {
  readonly interceptors: {
    readonly response: { use(seen: (response: AxiosResponse) => AxiosResponse): void }
  }
}
interface AxiosResponse {
  readonly status: number
  readonly data: unknown
  readonly config: { readonly method: string; readonly data?: unknown }
  readonly request: { readonly path: string }
}

const { default: axios }: { default: Axios } = createRequire(
  createRequire(require.resolve('payload-api')).resolve('@armrest/client'),
)('axios')
axios.interceptors.response.use((response) => {
  const { status, data, config, request } = response
  checkExchange({
    method: config.method.toUpperCase(),
    url: payload.apiUrl + request.path,
    sent: config.data,
    status,
    received: JSON.stringify(data),
  })
  return response
})

/** The client with its default settings, pointed at an address. */
export function payloadClient(address: string, apiKey: string): PayloadClient {
  payload.apiUrl = address
  return payload.Session(apiKey)
}
