import type { ApiResponse } from '../../../engine/core/request/request.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import type { Method } from '../../../schema/resource.js'
import { Refusal, UsageError } from '../failure/failure.js'
import { isObject } from '../input/body.js'
import type { ClientRequest } from './client.js'

interface StepOptions {
  /** The `error_type` of a refusal that is an answer, too. */
  readonly may?: string | undefined
  /** The `error_type` that the answer must have. */
  readonly expect?: string | undefined
  /** The operator who sends it. */
  readonly by?: string | undefined
}

/**
 * Sends a request of a scenario, whose path may have a query. Returns the answer, or the object in the details of a
 * refusal.
 */
export type Ask = (method: Method, path: string, body?: Json, options?: StepOptions) => Promise<JsonObject>

/** Requests in their order, each made from the answers to earlier ones. */
export type Scenario<Result> = (ask: Ask) => Promise<Result>

/** Runs a scenario: `send` sends a request, and throws a `Refusal` if it is refused. */
export async function runScenario<Result>(
  scenario: Scenario<Result>,
  send: (request: ClientRequest, by?: string) => Promise<ApiResponse>,
): Promise<Result> {
  return await scenario(async (method, target, body, { expect, may = expect, by } = {}) => {
    const [, path = '', search = ''] = /^([^?]*)\??(.*)$/s.exec(target) ?? []
    const query = [...new URLSearchParams(search)]
    const request = { method, path, query, ...(body !== undefined && { body }) }
    const response = await send(request, by).catch((error: unknown) => {
      if (error instanceof Refusal && error.response.body.error_type === may) return error.response
      throw error
    })
    if (expect !== undefined && response.status === 200)
      throw new UsageError(`Expected ${expect}, but it was accepted`)
    const { details } = response.body
    return response.status !== 200 && isObject(details) && details.id !== undefined ? details : response.body
  })
}
