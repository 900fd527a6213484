import { type App, type AppEnvironment, type AppOptions, openApp } from '../../src/app.js'
import { owner, type Principal } from '../../src/engine/core/request/principal.js'
import type { ApiRequest, ApiResponse, QueryPair } from '../../src/engine/core/request/request.js'
import type { Json, JsonObject } from '../../src/schema/json.js'
import type { Method } from '../../src/schema/resource.js'
import { checkedApp } from './contract/checked-app.js'
import { expectDocumented } from './contract/violations.js'
import type { Databases, Place } from './databases.js'

/** The test environment of a fresh database, as an adapter uses it. */
export interface TestCore {
  readonly app: App
  /** The test environment. */
  readonly environment: AppEnvironment
  readonly place: Place
  /** Sends a request to the core; by default as the operator. */
  send(method: Method, path: string, body?: Json, options?: SendOptions): Promise<ApiResponse>
  /** Sends a request that must succeed; returns the body. */
  ok(method: Method, path: string, body?: Json, options?: SendOptions): Promise<JsonObject>
}

export interface SendOptions extends Partial<Omit<ApiRequest, 'method' | 'path' | 'body' | 'query'>> {
  /** A query string without its `?`; names and values are not decoded. */
  readonly query?: string
  readonly principal?: Principal
}

/** Opens a core on a fresh database. The suite fails if the core reports an unexpected error. */
export async function openCore(open: Databases, options: Partial<AppOptions> = {}): Promise<TestCore> {
  const place = await open.migrated()
  const reported: unknown[] = []
  const app = checkedApp(openApp({ ...place, report: (error) => reported.push(error), ...options }))
  open.atEnd(() => app.close())
  open.atEnd(async () => {
    if (reported.length > 0) throw new AggregateError(reported, `Unexpected errors: ${reported.join(', ')}`)
  })
  const environment = await app.environment('test')
  const send: TestCore['send'] = async (method, path, body, { query, ...rest } = {}) => {
    const request = { method, path, body, query: pairs(query), principal: owner, ...rest }
    const response = await environment.core.handle(request)
    expectDocumented()
    return response
  }
  return {
    app,
    environment,
    place,
    send,
    async ok(method, path, body, rest) {
      const response = await send(method, path, body, rest)
      if (response.status !== 200)
        throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`)
      return response.body
    },
  }
}

function pairs(query = ''): QueryPair[] {
  return query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const end = part.search(/=(?![^[]*\])/)
      return end < 0 ? [part, ''] : [part.slice(0, end), part.slice(end + 1)]
    })
}

/** Objects in the answer to a list request. */
export function valuesOf(body: JsonObject): JsonObject[] {
  const { values } = body
  if (!Array.isArray(values)) throw new Error(`Not a list: ${JSON.stringify(body)}`)
  return values.map(objectOf)
}

/** Returns a JSON value as an object; throws if it is none. */
export function objectOf(value: Json | undefined): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new Error(`Not an object: ${JSON.stringify(value)}`)
}

/** The id of an object. */
export function idOf(body: JsonObject): string {
  if (typeof body.id !== 'string') throw new Error(`No id: ${JSON.stringify(body)}`)
  return body.id
}

/** Returns a JSON value as a list; throws if it is none. */
export function listOf(value: Json | undefined): Json[] {
  if (!Array.isArray(value)) throw new Error(`Not a list: ${JSON.stringify(value)}`)
  return value
}

/** A list object as the API answers it. */
export function list(values: readonly JsonObject[]): JsonObject {
  return { object: 'list', values: [...values] }
}

/** Number of objects that a path lists. */
export async function countOf(core: TestCore, path: string): Promise<number> {
  const { headers } = await core.send('GET', path, undefined, { count: true, query: 'limit=1' })
  return Number(headers['X-Total-Count'])
}
