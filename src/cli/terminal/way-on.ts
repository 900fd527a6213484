import type { Json, JsonObject } from '../../schema/json.js'
import type { ClientRequest } from './client/client.js'
import { isObject } from './input/body.js'

/** Command by which the operator goes on after a refusal; undefined if there is none. */
export function wayOn({ body: sent }: ClientRequest, { details }: JsonObject): string | undefined {
  const text = isObject(details) ? details.processing_id : undefined
  if (typeof text !== 'string' || !text.includes('cannot take payments: it is incomplete')) return undefined
  return ['Complete it: payctl processing-accounts complete', idIn(sent)].filter(Boolean).join(' ')
}

/** The processing account that a payment names. */
function idIn(sent: Json | undefined): string {
  const id = isObject(sent) ? sent.processing_id : undefined
  return typeof id === 'string' ? id : ''
}
