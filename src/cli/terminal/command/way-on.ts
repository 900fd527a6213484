import type { Json, JsonObject } from '../../../schema/json.js'
import type { ClientRequest } from '../client/client.js'
import { isObject } from '../input/body.js'

/** Sentence with the command that solves the problem of a refusal; undefined if none is known. */
export function wayOn({ body: sent }: ClientRequest, { details }: JsonObject): string | undefined {
  const text = isObject(details) ? details.processing_id : undefined
  if (typeof text !== 'string' || !text.includes('cannot take payments: it is incomplete')) return undefined
  return completing(isObject(sent) ? sent.processing_id : undefined)
}

/**
 * Sentence with the command that completes a processing account. Without an id, that command prompts for
 * the account.
 */
export function completing(id: Json | undefined): string {
  return `Complete it: payctl processing-accounts complete${typeof id === 'string' ? ` ${id}` : ''}`
}
