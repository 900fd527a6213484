import { hasCardNumber } from '../schema/card-data.js'
import { parsedJson } from '../schema/json.js'
import { type Input, isTree } from '../schema/types.js'

/** The deepest nesting of a notification that is read. */
const MAX_DEPTH = 50
/** The longest id of an event or an object, and the longest name of a kind of event. */
const ID = /^[\w.:|-]{1,200}$/
const TYPE = /^[\w.:-]{1,100}$/

/**
 * The object that a notification's text holds; undefined where it is none, or nested too deeply. Strangers send such
 * texts, and a recursive function over what they hold would run out of stack.
 */
export function notificationBody(text: string): Input | undefined {
  const plain = text.replace(/^\uFEFF/, '')
  if (depthOf(plain) > MAX_DEPTH) return undefined
  const body = parsedJson(plain)
  return isTree(body) ? body : undefined
}

/** An id that may be stored: of plain characters, and without anything like a card number. */
export function eventId(value: unknown): string | undefined {
  return typeof value === 'string' && ID.test(value) && !hasCardNumber(value) ? value : undefined
}

/** The gateway's word for a kind of event; `unknown` where it is no plain one. */
export function eventType(value: unknown): string {
  return typeof value === 'string' && TYPE.test(value) && !hasCardNumber(value) ? value : 'unknown'
}

/** Levels of the brackets in a JSON text, those within its strings left out. */
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
