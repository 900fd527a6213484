import type { Json, JsonObject } from '../../schema/json.js'
import type { ClientRequest } from './client/client.js'
import { isObject } from './input/body.js'

/** Command by which the operator goes on after a refusal; undefined if there is none. */
export function wayOn({ body: sent }: ClientRequest, { details }: JsonObject): string | undefined {
  const text = isObject(details) ? details.processing_id : undefined
  if (typeof text !== 'string' || !text.includes('cannot take payments: it is incomplete')) return undefined
  return completing(isObject(sent) ? sent.processing_id : undefined)
}

/** Sentence with the command that completes a processing account; without its id, the command asks which. */
export function completing(id: Json | undefined): string {
  return `Complete it: payctl processing-accounts complete${typeof id === 'string' ? ` ${id}` : ''}`
}
