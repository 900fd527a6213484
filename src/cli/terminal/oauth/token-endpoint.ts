import process from 'node:process'
import { openNetwork } from '../../../platform/network/network.js'
import { type HttpAnswer, NetworkError } from '../../../platform/network/network-contract.js'
import { type JsonObject, parsedJson } from '../../../schema/json.js'
import { Refusal } from '../failure/failure.js'
import { isObject } from '../input/body.js'
import { proxiesFor, proxyNamed } from '../remote/proxies.js'
import { foreign, unreachable } from '../remote/remote-error.js'

const PATIENCE_SECONDS = 30

/**
 * Requests tokens from a `payctl serve`, with the given key, if any, as Basic credentials. Throws a `Refusal` if the
 * answer is an error, and a `RemoteError` if no payctl answered.
 */
export async function askForTokens(
  server: string,
  fields: Readonly<Record<string, string>>,
  key?: string,
): Promise<JsonObject> {
  const origin = new URL(server)
  const proxies = proxiesFor(origin, process.env)
  const network = await openNetwork(origin, proxies)
  try {
    const answer = await network.ask({
      method: 'POST',
      origin,
      target: `${origin.pathname.replace(/\/+$/, '')}/oauth/token`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(key !== undefined && { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` }),
      },
      body: String(new URLSearchParams(fields)),
      patience: PATIENCE_SECONDS * 1000,
    })
    const body = bodyOf(answer)
    if (!body) throw foreign(server, answer)
    if (answer.status !== 200) throw new Refusal({ status: answer.status, body, headers: {} })
    return body
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const proxy = proxies && proxyNamed(origin, process.env)
    throw unreachable(origin, { server, code: error.code, seconds: PATIENCE_SECONDS, proxy })
  } finally {
    network.close()
  }
}

function bodyOf({ text, headers }: HttpAnswer): JsonObject | undefined {
  if (!String(headers['content-type']).startsWith('application/json')) return undefined
  const body = parsedJson(text)
  return isObject(body) ? body : undefined
}
