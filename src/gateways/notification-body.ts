import { hasCardNumber } from '../schema/card-data.js'
import { parsedJson } from '../schema/json.js'
import { type Input, isTree } from '../schema/types.js'

/** Maximal nesting depth of a notification; a deeper one is not read. */
const MAX_DEPTH = 50
/** Accepted ids of events and objects; `TYPE` has the accepted names of kinds of events. */
const ID = /^[\w.:|-]{1,200}$/
const TYPE = /^[\w.:-]{1,100}$/

/**
 * Parses a notification's text. Undefined if it is not a JSON object, or is nested too deeply. Anyone can send such a
 * text, and deep nesting would overflow the stack of recursive functions.
 */
export function notificationBody(text: string): Input | undefined {
  const plain = text.replace(/^\uFEFF/, '')
  if (depthOf(plain) > MAX_DEPTH) return undefined
  const body = parsedJson(plain)
  return isTree(body) ? body : undefined
}

/** Returns an id that is safe to store: plain characters, and no card number in it. Undefined for any other value. */
export function eventId(value: unknown): string | undefined {
  return typeof value === 'string' && ID.test(value) && !hasCardNumber(value) ? value : undefined
}

/** The gateway's name for a kind of event; `unknown` if it has other than plain characters. */
export function eventType(value: unknown): string {
  return typeof value === 'string' && TYPE.test(value) && !hasCardNumber(value) ? value : 'unknown'
}

/** Nesting depth of a JSON text. Brackets inside strings do not count. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isInString) {
      if (character === '\\') at++
      else isInString = character !== '"'
    } else if (character === '"') isInString = true
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth)
    else if (character === ']' || character === '}') depth--
  }
  return deepest
}
