import { createHmac } from 'node:crypto'
import { equalsInConstantTime } from '../../platform/constant-time.js'
import { isDatetime } from '../../schema/datetime.js'
import { isTree } from '../../schema/types.js'
import { BadSignature } from '../bad-signature.js'
import type {
  Credentials,
  FoundOperation,
  GatewayNotice,
  GatewayNotification,
  Headers,
  Rail,
} from '../contract.js'
import { eventId, eventType, notificationBody } from '../notification-body.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { isDisputeId, type PeerReading, peerDisputes } from './peer-disputes.js'
import { entryIn, ledgerPath, wonBy } from './peer-ledger.js'
import { isTransactionId, outcomeOf, type PeerTransaction, peerTransaction } from './peer-transaction.js'

type Reading = Omit<PeerReading, 'takenBack'>

const MAX_LISTED = 100

/**
 * Notifications of a peer. If a secret is configured, they must be signed according to Standard Webhooks. Disputes are
 * also polled, for merchants without a webhook. The object of every notification is read from the peer.
 */
export function peerNotices({
  read,
  send,
  withId,
  now,
}: Reading): Pick<Rail, 'receive' | 'notifications' | 'read' | 'disputes'> {
  const entriesOf = async (id: string, credentials: Credentials) => {
    const { values } = await read(ledgerPath(id, { limit: 1000 }), credentials)
    if (!Array.isArray(values)) throw new UnknownOutcome('The peer answers no list')
    return values.map(entryIn)
  }

  /** Notices of the money that a chargeback or its reversal moved. */
  const takenBack = async (
    dispute: PeerTransaction,
    credentials: Credentials,
  ): Promise<readonly GatewayNotice[]> => {
    const [entry] = (await entriesOf(dispute.id, credentials)).filter(({ type }) => type === 'payment')
    // If a bank takes more than the payment's amount, the rest is the peer's own loss and has no ledger entry.
    if (!entry) return []
    const { reference } = await withId(entry.assoc, credentials)
    const payment = reference ?? entry.assoc
    const hasReference = reference !== undefined
    const { id, type, status, statusCode = 'chargeback' } = dispute
    if (status !== 'processed') throw new UnknownOutcome(`The ${type} ${id} is ${status}`)
    const amount = Math.abs(entry.amount)
    if (type === 'chargeback') {
      const kind = /^R\d\d$/.test(statusCode) ? 'return' : 'chargeback'
      return [{ kind, dispute: id, payment, hasReference, amount, statusCode }]
    }
    const original = wonBy(id, await entriesOf(entry.assoc, credentials))
    if (original === undefined) return []
    return [
      {
        kind: 'dispute_won',
        dispute: original,
        payment,
        hasReference,
        amount,
        statusCode: 'chargeback',
      },
    ]
  }

  const { disputes, inquiries, noticesAbout } = peerDisputes({ read, send, withId, now, takenBack })

  return {
    disputes,

    receive(headers, rawBody, { secrets }) {
      const secret = secrets['notification_secret']
      if (secret) verify(secret, headers, rawBody)
      return notificationIn(rawBody.toString('utf8'), secret !== undefined)
    },

    async notifications(cursor, credentials) {
      const since = cursor === null ? '' : `&created_at=${encodeURIComponent(`>=${cursor}`)}`
      const { values } = await read(
        `/transactions?type=chargeback|chargeback_reversal&order_by=created_at&limit=${MAX_LISTED}${since}`,
        credentials,
      )
      if (!Array.isArray(values)) throw new UnknownOutcome('The peer answers no list')
      const last: unknown = values.at(-1)
      const listedAt = isTree(last) ? last.created_at : undefined
      return {
        notifications: [...values.flatMap(disputeIn), ...(await inquiries(credentials))],
        cursor: isDatetime(listedAt) ? listedAt : cursor,
      }
    },

    async read({ gatewayId }, credentials) {
      if (gatewayId === undefined) return []
      if (isDisputeId(gatewayId)) return await noticesAbout(gatewayId, credentials)
      const found = await withId(gatewayId, credentials)
      if (found.type === 'chargeback') return await noticesAbout(gatewayId, credentials)
      if (found.type === 'chargeback_reversal') return await takenBack(found, credentials)
      const operation = operationThatMade(found)
      if (operation?.type !== 'refund') return operation ? [operation] : []
      const entries = await entriesOf(found.id, credentials)
      return [{ ...operation, parent: entries.find(({ type }) => type === 'payment')?.assoc }]
    },
  }
}

/**
 * Current state of the operation that made a transaction; undefined for types of transaction that clients do not
 * request.
 */
export function operationThatMade(found: PeerTransaction): FoundOperation | undefined {
  const type = typeOf(found)
  if (type === undefined) return undefined
  const { reference, amount } = found
  return {
    kind: 'operation',
    reference,
    type,
    amount,
    outcome: outcomeOf(found, type),
    state: stateOf(found),
  }
}

function typeOf({ type, status }: PeerTransaction) {
  if (type === 'payment') return status === 'authorized' ? 'authorize' : 'sale'
  return type === 'refund' || type === 'credit' ? type : undefined
}

/** State of a payment; undefined for an undecided or a declined payment. */
function stateOf({ type, status }: PeerTransaction): FoundOperation['state'] {
  if (type !== 'payment') return undefined
  switch (status) {
    case 'authorized':
    case 'voided':
      return status
    case 'processed':
    case 'rejected':
      return 'captured'
    default:
      return undefined
  }
}

/** Notification of a listed chargeback or its reversal; an empty list for any other row. */
function disputeIn(row: unknown): readonly GatewayNotification[] {
  const found = peerTransaction(row)
  if (found?.type !== 'chargeback' && found?.type !== 'chargeback_reversal') return []
  const { id, type } = found
  return [{ id, type, about: 'dispute', gatewayId: id, raw: JSON.stringify({ id, type }) }]
}

/**
 * The notification in a body. Of an unsigned one, only id, trigger and subject are kept. A body without an id yields an
 * empty list if it is signed; otherwise throws `BadSignature`.
 */
function notificationIn(text: string, isSigned: boolean): readonly GatewayNotification[] {
  const body = notificationBody(text)
  const id = eventId(body?.id)
  if (body === undefined || id === undefined) {
    if (isSigned) return []
    throw new BadSignature('It is no notification of a peer')
  }
  const { trigger, triggered_on: on } = body
  const type = eventType(trigger)
  const subject =
    isTree(on) && (on.object === 'transaction' || on.object === 'dispute') ? eventId(on.id) : undefined
  const gatewayId = isTransactionId(subject) || isDisputeId(subject) ? subject : undefined
  const named = isDisputeId(gatewayId) ? 'dispute' : 'operation'
  const operation = gatewayId === undefined ? 'nothing' : named
  // A deposit's notification names no object: settlements are read.
  const about = trigger === 'deposit' ? 'settlement' : operation
  const kept = { id, trigger: type, ...(gatewayId !== undefined && { triggered_on: { id: gatewayId } }) }
  const raw = isSigned ? text : JSON.stringify(kept)
  return [{ id, type, about, gatewayId, raw }]
}

function verify(secret: string, headers: Headers, body: Buffer): void {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => headers[`webhook-${name}`],
  )
  // There are several secrets, because each webhook has its own.
  const expected = secret.split(' ').map((one) => {
    const key = Buffer.from(one.replace(/^whsec_/, ''), 'base64')
    return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  })
  const given = (signatures ?? '').split(' ').filter((one) => one.startsWith('v1,'))
  const isSigned = given.some((one) => expected.some((each) => equalsInConstantTime(one.slice(3), each)))
  if (!isSigned) throw new BadSignature('No signature in it was made with the secret over this body')
}
