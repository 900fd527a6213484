import type { RailClient, RailResponse } from '../../platform/network/rail-client.js'
import { parsedJson } from '../../schema/json.js'
import { type Input, isTree } from '../../schema/types.js'
import type { Credentials } from '../contract.js'
import type { RailEndpoint, RailEndpoints } from '../rail-endpoints.js'
import { RefusedReading, responseOrNotSent, Unanswered, UnknownOutcome } from '../unknown-outcome.js'
import { textIn, treesIn } from './authorizenet-api.js'

/** Authorize.Net's events about payments. It has no other events about money. */
const AUTHORIZENET_EVENTS = [
  'net.authorize.payment.authcapture.created',
  'net.authorize.payment.authorization.created',
  'net.authorize.payment.capture.created',
  'net.authorize.payment.fraud.approved',
  'net.authorize.payment.fraud.declined',
  'net.authorize.payment.fraud.held',
  'net.authorize.payment.priorAuthCapture.created',
  'net.authorize.payment.refund.created',
  'net.authorize.payment.void.created',
] as const

const PATH = '/rest/v1/webhooks'

/**
 * Webhooks of an account, managed through the REST interface. Notifications are signed with the Signature Key. Only the
 * Merchant Interface creates that key, so a new endpoint has no secret of its own.
 */
export function authorizeNetEndpoints(http: RailClient): RailEndpoints<[Credentials]> {
  const call = async (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    { baseUrl, secrets }: Credentials,
    body?: object,
  ): Promise<RailResponse> => {
    const user = `${secrets['login_id']}:${secrets['transaction_key']}`
    const answer = responseOrNotSent(
      await http.send({
        method,
        url: baseUrl + path,
        headers: {
          authorization: `Basic ${Buffer.from(user).toString('base64')}`,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
    if ('result' in answer) throw new Unanswered(answer.problem)
    const { status } = answer
    if (status === 401 || status === 403)
      throw new RefusedReading({ scope: 'merchant', problem: `${status}: ${reasonIn(answer)}` })
    if (status < 200 || status > 299) throw new UnknownOutcome(`${status}: ${reasonIn(answer)}`)
    return answer
  }
  return {
    async list(credentials) {
      const listed = bodyOf(await call('GET', PATH, credentials))
      if (!Array.isArray(listed)) throw new UnknownOutcome('The endpoint answers no list of webhooks')
      return treesIn(listed, '').flatMap(endpointIn)
    },

    async create({ endpoint }, credentials) {
      const body = { name: 'payctl', url: endpoint, eventTypes: AUTHORIZENET_EVENTS, status: 'active' }
      const made = bodyOf(await call('POST', PATH, credentials, body))
      const id = isTree(made) ? textIn(made, 'webhookId') : undefined
      if (id === undefined) throw new UnknownOutcome('The endpoint answers no webhook')
      return { ids: [id], secrets: {} }
    },

    async remove(id, credentials) {
      await call('DELETE', `${PATH}/${encodeURIComponent(id)}`, credentials)
    },
  }
}

function endpointIn(webhook: Input): readonly RailEndpoint[] {
  const id = textIn(webhook, 'webhookId')
  const url = textIn(webhook, 'url')
  if (id === undefined || url === undefined) return []
  const status = textIn(webhook, 'status') ?? 'without a status'
  const events = Array.isArray(webhook.eventTypes) ? webhook.eventTypes : []
  const missing = AUTHORIZENET_EVENTS.filter((event) => !events.includes(event))
  const lacks = missing.length === 0 ? null : `does not receive ${missing.join(', ')}`
  return [{ id, url, problem: status === 'active' ? lacks : `is ${status}` }]
}

function bodyOf({ body }: RailResponse): unknown {
  return parsedJson(body.replace(/^\uFEFF/, ''))
}

function reasonIn(answer: RailResponse): string {
  const body = bodyOf(answer)
  return (
    (isTree(body) ? (textIn(body, 'message') ?? textIn(body, 'reason')) : undefined) ?? 'no reason is given'
  )
}
