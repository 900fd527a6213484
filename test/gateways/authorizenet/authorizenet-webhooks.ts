import type { IncomingMessage, ServerResponse } from 'node:http'
import { parsedJson } from '../../../src/schema/json.js'
import { isTree } from '../../../src/schema/types.js'

interface Webhook {
  readonly webhookId: string
  readonly name: unknown
  readonly url: unknown
  readonly eventTypes: unknown
  status: unknown
}

type Answer = readonly [status: number, body: unknown]

function problem(status: number, reason: string, message: string): Answer {
  return [status, { status, reason, message }]
}

/**
 * The REST API for webhooks. Requests authenticate with login and transaction key by HTTP Basic
 * Authentication.
 */
export class AuthorizeNetWebhooks {
  readonly list: Webhook[] = []
  private made = 0

  constructor(
    private readonly login: string,
    private readonly transactionKey: string,
  ) {}

  serve({ method, url = '', headers }: IncomingMessage, text: string, response: ServerResponse): void {
    const user = Buffer.from(`${this.login}:${this.transactionKey}`).toString('base64')
    const [status, body] =
      headers.authorization === `Basic ${user}`
        ? this.answer(`${method} ${url}`, text)
        : problem(401, 'UNAUTHORIZED', 'Incorrect api keys')
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body === undefined ? '' : JSON.stringify(body))
  }

  private answer(call: string, text: string): Answer {
    if (call === 'GET /rest/v1/webhooks') return [200, this.list.map(shown)]
    if (call === 'POST /rest/v1/webhooks') return this.create(text)
    const id = /^DELETE \/rest\/v1\/webhooks\/([\w-]+)$/.exec(call)?.[1]
    const at = this.list.findIndex(({ webhookId }) => webhookId === id)
    if (at === -1) return problem(404, 'NOT_FOUND', 'There is no such webhook')
    this.list.splice(at, 1)
    return [200, undefined]
  }

  private create(text: string): Answer {
    const sent = parsedJson(text)
    const { name, url, eventTypes, status = 'inactive' } = isTree(sent) ? sent : {}
    if (typeof url !== 'string' || !Array.isArray(eventTypes))
      return problem(400, 'INVALID_DATA', 'url and eventTypes are required')
    const webhookId = `72a55c78-66e6-4b1e-a4d6-${String(++this.made).padStart(12, '0')}`
    const made = { webhookId, name, url, eventTypes, status }
    this.list.push(made)
    return [200, shown(made)]
  }
}

function shown(webhook: Webhook): object {
  return { _links: { self: { href: `/rest/v1/webhooks/${webhook.webhookId}` } }, ...webhook }
}
