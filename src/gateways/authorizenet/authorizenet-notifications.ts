import { createHmac } from 'node:crypto'
import { equalsInConstantTime } from '../../platform/constant-time.js'
import { isTree } from '../../schema/types.js'
import { BadSignature } from '../bad-signature.js'
import type { Credentials, GatewayNotification, Headers } from '../contract.js'
import { eventId, eventType, notificationBody } from '../notification-body.js'
import { textIn } from './authorizenet-api.js'

const PAYMENT = 'net.authorize.payment.'

/**
 * The notification in a request; an empty list if it has no usable id. Throws `BadSignature` if the signature does not
 * fit the body.
 */
export function authorizeNetNotification(
  headers: Headers,
  rawBody: Buffer,
  { secrets }: Credentials,
): readonly GatewayNotification[] {
  const { signature_key: key } = secrets
  if (!key) throw new BadSignature('No signature key is configured, so that nobody can be believed')
  if (!isSigned(headers['x-anet-signature'] ?? '', rawBody, key))
    throw new BadSignature('The signature was not made with the signature key over this body')
  const raw = rawBody.toString('utf8')
  const body = notificationBody(raw)
  const id = eventId(body?.notificationId)
  // The signature is valid, but the body has no usable id, so it is ignored.
  if (body === undefined || id === undefined) return []
  const type = eventType(body.eventType)
  const payload = isTree(body.payload) ? body.payload : {}
  const subject = eventId(textIn(payload, 'id'))
  const gatewayId = type.startsWith(PAYMENT) ? subject : undefined
  return [{ id, type, about: gatewayId === undefined ? 'nothing' : 'operation', gatewayId, raw }]
}

/**
 * Whether the signature fits the body. Sources disagree whether the key is the decoded hexadecimal bytes or the text
 * itself, so either is accepted. Both are always computed, so the response time does not depend on the signature.
 */
function isSigned(header: string, body: Buffer, key: string): boolean {
  const given = header.replace(/^sha512=/i, '').toLowerCase()
  const keys = [Buffer.from(key, 'hex'), Buffer.from(key, 'utf8')]
  return keys
    .map(
      (each) =>
        each.length > 0 && equalsInConstantTime(given, createHmac('sha512', each).update(body).digest('hex')),
    )
    .includes(true)
}
