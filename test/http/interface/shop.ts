import type { Json, JsonObject } from '../../../src/schema/json.js'
import type { Databases } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { type HttpAnswer, type HttpService, httpService } from '../../support/http.js'

/** A shop as its programs use it: over HTTP, with a key with manage. */
export interface Shop {
  readonly service: HttpService
  readonly key: string
  /** Id of the shop's processing account. */
  readonly account: string
  /** Sends one request; the path may have a query string. */
  ask(method: string, path: string, body?: Json): Promise<HttpAnswer>
  /** Sends a request that must succeed; returns the body. */
  ok(method: string, path: string, body?: Json): Promise<JsonObject>
}

/** Opens a shop with one processing account on a fresh database. */
export async function openShop(open: Databases): Promise<Shop> {
  const service = await httpService(await open.migrated())
  open.atEnd(() => service.stop())
  const key = await service.key({ manage: true })
  const ask: Shop['ask'] = async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const init = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) }
    const response = await fetch(service.address + path, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
  }
  const ok: Shop['ok'] = async (method, path, body) => {
    const answer = await ask(method, path, body)
    if (answer.status !== 200)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const { id } = await ok('POST', '/processing_accounts', processingAccount())
  return { service, key, account: String(id), ask, ok }
}
