import type { JsonObject } from '../../src/schema/json.js'
import { objectOf } from '../support/core.js'
import type { Place } from './look.js'
import { keySecret, type Secret } from './secret.js'

export interface Sent {
  readonly body?: JsonObject | readonly JsonObject[]
  /** A body as it stands, with its content type. */
  readonly raw?: { readonly type: string; readonly text: string }
  readonly idempotencyKey?: string
  readonly authorization?: string
  readonly dryRun?: boolean
  /** The secret is in a name that the client made up, which an answer may repeat to it; the log may not. */
  readonly isNamed?: boolean
}

/** Asks a server over HTTP and remembers every answer, headers and all. */
export class Teller {
  readonly answers: Place[] = []
  /** Keys that were shown on the way. */
  readonly keys: Secret[] = []

  constructor(
    private readonly address: string,
    readonly secretKey: string,
  ) {
    this.keys.push(keySecret('of the story', secretKey))
  }

  /** Asks, and insists on the status; answers the body. */
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

  /** A key or a signing secret is shown by the answer that makes it, there and nowhere else. */
  private withoutShown({ secret_key: key, secret, id }: JsonObject, text: string): string {
    const shown = key ?? secret
    if (typeof shown !== 'string') return text
    this.keys.push(keySecret(String(id), shown))
    return text.replace(shown, '')
  }
}
