import { createHmac } from 'node:crypto'
import { equalsInConstantTime } from '../../platform/constant-time.js'

/**
 * The signed content: an id that is the same at every attempt, the time of sending (seconds since 1970), and the
 * body.
 */
export interface Message {
  readonly id: string
  readonly timestamp: number
  readonly body: string
}

const FORM = 'whsec_'
/** Seconds by which a message may be older or newer than the verifier's clock. */
const TOLERANCE = 300

/** The headers of a notification, by Standard Webhooks; with several secrets one signature each, so that either verifies. */
export function signedHeaders(secrets: readonly string[], message: Message): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'payctl',
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${signature(secret, message)}`).join(' '),
  }
}

/**
 * Reason why a message was not signed with the secret within the last five minutes; undefined if it was. `now` is in
 * seconds.
 */
export function signatureProblem(
  secret: string,
  message: Message,
  signatures: string,
  now: number,
): string | undefined {
  const expected = signature(secret, message)
  const isSigned = signatures.split(' ').some((one) => {
    const [version, given = ''] = one.split(',')
    return version === 'v1' && equalsInConstantTime(given, expected)
  })
  if (!isSigned) return 'No signature in it was made with this secret over this body'
  const age = now - message.timestamp
  if (!(Math.abs(age) <= TOLERANCE)) return `It was signed ${age} seconds ago; only ${TOLERANCE} are trusted`
  return undefined
}

function signature(secret: string, { id, timestamp, body }: Message): string {
  const key = Buffer.from(secret.startsWith(FORM) ? secret.slice(FORM.length) : secret, 'base64')
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
}
