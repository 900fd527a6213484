import type { JsonObject } from '../../src/schema/json.js'
import { objectOf } from '../support/core.js'
import type { Place } from './look.js'
import { keySecret, type Secret } from './secret.js'

export interface Sent {
  readonly body?: JsonObject | readonly JsonObject[]
  /** A body that is sent unchanged, with its content type. */
  readonly raw?: { readonly type: string; readonly text: string }
  readonly idempotencyKey?: string
  readonly authorization?: string
  readonly dryRun?: boolean
  /** Whether a secret is in a name that the client made up. An answer may repeat such a name; the log may not. */
  readonly isNamed?: boolean
}

/** A client of the service that keeps every answer with its headers, to be searched for secrets. */
export class Teller {
  readonly answers: Place[] = []
  /** Keys and secrets that answers have shown. */
  readonly keys: Secret[] = []

  constructor(
    private readonly address: string,
    readonly secretKey: string,
  ) {
    this.keys.push(keySecret('of the story', secretKey))
  }

  /** Sends a request; returns the body. Throws if the status differs from the given one. */
  async tell(status: number, method: string, path: string, sent: Sent = {}): Promise<JsonObject> {
    const { raw, body } = sent
    const json = body && { type: 'application/json', text: JSON.stringify(body) }
    const entity = raw ?? json
    const response = await fetch(this.address + path, {
      method,
      headers: {
        authorization: sent.authorization ?? `Bearer ${this.secretKey}`,
        ...(entity && { 'content-type': entity.type }),
        ...(sent.idempotencyKey !== undefined && { 'idempotency-key': sent.idempotencyKey }),
        ...(sent.dryRun && { prefer: 'dry-run' }),
      },
      ...(entity && { body: entity.text }),
    })
    const text = await response.text()
    const headers = JSON.stringify([...response.headers])
    const where = `the answer ${response.status} to ${method} ${path.split('?')[0]?.slice(0, 40)}`
    if (response.status !== status) throw new Error(`${where}, not ${status}: ${text}`)
    const answer = objectOf(JSON.parse(text))
    if (!sent.isNamed) this.answers.push({ where, content: this.withoutShown(answer, headers + text) })
    return answer
  }

  /** The answer without a new key or signing secret. Only the answer that creates a secret may show it. */
  private withoutShown({ secret_key: key, secret, id }: JsonObject, text: string): string {
    const shown = key ?? secret
    if (typeof shown !== 'string') return text
    this.keys.push(keySecret(String(id), shown))
    return text.replace(shown, '')
  }
}
