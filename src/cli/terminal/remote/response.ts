import type { ApiResponse } from '../../../engine/core/request/request.js'
import type { HttpAnswer } from '../../../platform/network/network.js'
import { type JsonObject, parsedJson } from '../../../schema/json.js'
import { isObject } from '../input/body.js'

/** Headers of the core, as it spells them. */
const HEADERS = ['Link', 'X-Total-Count', 'X-Truncated', 'Idempotent-Replay', 'Retry-After', 'Allow'] as const

/** The core's response in an HTTP answer; undefined if the answer is not from payctl. */
export function responseOf({ status, headers, text }: HttpAnswer): ApiResponse | undefined {
  const body = headers['x-api-version'] === undefined ? undefined : bodyOf(text)
  if (!body) return undefined
  const given = HEADERS.flatMap((name) => {
    const value = headers[name.toLowerCase()]
    return value === undefined ? [] : [[name, String(value)]]
  })
  return { status, body, headers: Object.fromEntries(given) }
}

function bodyOf(text: string): JsonObject | undefined {
  const body = parsedJson(text)
  return isObject(body) ? body : undefined
}
