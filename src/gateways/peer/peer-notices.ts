import { createHmac } from 'node:crypto'
import { equalsInConstantTime } from '../../platform/constant-time.js'
import { parsedJson } from '../../schema/json.js'
import { type Input, isTree } from '../../schema/types.js'
import { BadSignature } from '../bad-signature.js'
import type {
  Credentials,
  FoundOperation,
  GatewayNotice,
  GatewayNotification,
  Headers,
  Rail,
} from '../contract.js'
import { entryIn, ledgerPath, wonBy } from './peer-ledger.js'
import { outcomeOf, type PeerTransaction } from './peer-transaction.js'

interface Reading {
  read(path: string, credentials: Credentials): Promise<Input>
  withId(id: string, credentials: Credentials): Promise<PeerTransaction>
}

const MAX_LISTED = 100

/**
 * Notifications of a peer. Its webhooks are signed by Standard Webhooks where a secret is configured. Disputes are
 * listed as well, for merchants without a webhook. Every object is read again.
 */
export function peerNotices({ read, withId }: Reading): Pick<Rail, 'receive' | 'notifications' | 'read'> {
  const entriesOf = async (id: string, credentials: Credentials) => {
    const { values } = await read(ledgerPath(id, { limit: 1000 }), credentials)
    return Array.isArray(values) ? values.filter(isTree).map(entryIn) : []
  }

  /** A chargeback or its reversal, with its payment. */
  const takenBack = async (
    dispute: PeerTransaction,
    credentials: Credentials,
  ): Promise<readonly GatewayNotice[]> => {
    const [entry] = (await entriesOf(dispute.id, credentials)).filter(({ type }) => type === 'payment')
    // The amount that a bank took beyond a payment is the peer's own loss, and is in no ledger.
    if (!entry) return []
    const payment = (await withId(entry.assoc, credentials)).reference ?? entry.assoc
    const { id, type, statusCode = 'chargeback' } = dispute
    const amount = Math.abs(entry.amount)
    if (type === 'chargeback') {
      const kind = /^R\d\d$/.test(statusCode) ? 'return' : 'chargeback'
      return [{ kind, dispute: id, payment, amount, statusCode }]
    }
    const original = wonBy(id, await entriesOf(entry.assoc, credentials))
    if (original === undefined) return []
    return [{ kind: 'dispute_won', dispute: original, payment, amount, statusCode: 'chargeback' }]
  }

  return {
    receive(headers, rawBody, { secrets }) {
      const secret = secrets['notification_secret']
      if (secret) verify(secret, headers, rawBody)
      return notificationIn(rawBody.toString('utf8'))
    },

    async notifications(cursor, credentials) {
      const since = cursor === null ? '' : `&created_at=${encodeURIComponent(`>=${cursor}`)}`
      const { values } = await read(
        `/transactions?type=chargeback|chargeback_reversal&order_by=created_at&limit=${MAX_LISTED}${since}`,
        credentials,
      )
      const listed = Array.isArray(values) ? values.filter(isTree) : []
      const last = listed.at(-1)?.created_at
      return {
        notifications: listed.map((row) => ({
          id: String(row.id),
          type: String(row.type),
          about: 'dispute' as const,
          gatewayId: String(row.id),
          raw: JSON.stringify(row),
        })),
        cursor: typeof last === 'string' ? last : cursor,
      }
    },

    async read({ gatewayId }, credentials) {
      if (gatewayId === undefined) return []
      const found = await withId(gatewayId, credentials)
      if (found.type === 'chargeback' || found.type === 'chargeback_reversal')
        return await takenBack(found, credentials)
      const operation = operationThatMade(found)
      if (operation?.type !== 'refund') return operation ? [operation] : []
      const entries = await entriesOf(found.id, credentials)
      return [{ ...operation, parent: entries.find(({ type }) => type === 'payment')?.assoc }]
    },
  }
}

/** Current state of the operation that made a transaction; undefined where no client requested it. */
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

/** State of a payment, as far as it is decided. */
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

function notificationIn(text: string): readonly GatewayNotification[] {
  const body = parsedJson(text)
  if (!isTree(body) || typeof body.id !== 'string') throw new BadSignature('It is no notification of a peer')
  const { id, trigger, triggered_on: on } = body
  const gatewayId = isTree(on) && on.object === 'transaction' && typeof on.id === 'string' ? on.id : undefined
  const about = trigger === 'deposit' ? 'settlement' : 'operation'
  return [
    { id, type: String(trigger), about: gatewayId === undefined ? 'nothing' : about, gatewayId, raw: text },
  ]
}

function verify(secret: string, headers: Headers, body: Buffer): void {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => headers[`webhook-${name}`],
  )
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
  const isSigned = (signatures ?? '')
    .split(' ')
    .some((one) => one.startsWith('v1,') && equalsInConstantTime(one.slice(3), expected))
  if (!isSigned) throw new BadSignature('No signature in it was made with the secret over this body')
}
