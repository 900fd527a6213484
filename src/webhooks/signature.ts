import { createHmac } from 'node:crypto'

/** What is signed: an id that is the same at every attempt, when it is sent (seconds since 1970), and what. */
export interface Message {
  readonly id: string
  readonly timestamp: number
  readonly body: string
}

const FORM = 'whsec_'

/** The headers of Standard Webhooks; with several secrets one signature each, so that either verifies. */
export function signedHeaders(secrets: readonly string[], message: Message): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${signature(secret, message)}`).join(' '),
  }
}

function signature(secret: string, { id, timestamp, body }: Message): string {
  const key = Buffer.from(secret.startsWith(FORM) ? secret.slice(FORM.length) : secret, 'base64')
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
}
