import type { RailResponse } from '../../platform/network/rail-client.js'
import { parsedJson } from '../../schema/json.js'
import { type Input, isTree } from '../../schema/types.js'
import type {
  Capabilities,
  Credentials,
  FoundOutcome,
  GatewayOperation,
  GatewayOutcome,
  Rail,
  RailEffects,
} from '../contract.js'
import { responseOrNotSent, UnknownOutcome } from '../unknown-outcome.js'
import { peerNotices } from './peer-notices.js'
import { peerOperations } from './peer-operations.js'
import { type PeerRequest, peerRequest } from './peer-request.js'
import { peerSettlements } from './peer-settlements.js'
import { outcomeOf, outcomeOn, type PeerTransaction, peerTransaction } from './peer-transaction.js'

const CAPABILITIES: Capabilities = {
  methods: ['card', 'bank_account'],
  partialRefund: true,
  voidCaptured: 'void',
  refundBeforeSettlement: true,
  authorizationLifetime: 7 * 86_400_000,
  tokens: false,
  idempotency: 'search',
  horizon: 2 * 60_000,
  reports: { fees: true, payouts: true, disputes: true },
}

/**
 * Cards and bank accounts at any server of this very interface. An operation is found by the reference in the `attrs`
 * of its transaction, a capture or a void by the state of the payment.
 */
export function peerRail({ http }: RailEffects): Rail {
  const send = async ({ method, path, body }: PeerRequest, credentials: Credentials, key?: string) =>
    responseOrNotSent(
      await http.send({
        method,
        url: credentials.baseUrl + path,
        headers: {
          authorization: `Bearer ${credentials.secrets['secret_key']}`,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )

  /** Reads a path. Throws `UnknownOutcome` for anything but an answer. */
  const read = async (path: string, credentials: Credentials): Promise<Input> => {
    const answer = await send({ method: 'GET', path }, credentials)
    if ('result' in answer) throw new UnknownOutcome(answer.problem)
    if (answer.status !== 200) throw new UnknownOutcome(`${path} was answered ${answer.status}`)
    return bodyOf(answer)
  }

  const withReference = async (
    reference: string,
    credentials: Credentials,
  ): Promise<PeerTransaction | undefined> => {
    const query = `attrs[reference]=${encodeURIComponent(reference)}&limit=2`
    const { values } = await read(`/transactions?${query}`, credentials)
    if (!Array.isArray(values)) throw new UnknownOutcome('The peer answers no list')
    return values.map(peerTransaction).find((each) => each?.reference === reference)
  }

  const withId = async (id: string, credentials: Credentials): Promise<PeerTransaction> => {
    const found = peerTransaction(await read(`/transactions/${encodeURIComponent(id)}`, credentials))
    if (found?.id !== id) throw new UnknownOutcome(`The peer answers no transaction for ${id}`)
    return found
  }

  const parentOf = async (
    { parent }: GatewayOperation,
    credentials: Credentials,
  ): Promise<string | undefined> => {
    if (!parent) return undefined
    if (parent.gatewayId !== null) return parent.gatewayId
    const found = await withReference(parent.reference, credentials)
    if (!found) throw new UnknownOutcome(`The peer does not list ${parent.reference}`)
    return found.id
  }

  return {
    capabilities: CAPABILITIES,

    async perform(operation, credentials) {
      const parentId = await parentOf(operation, credentials)
      const request = peerRequest(operation, parentId, credentials)
      const answer = await send(request, credentials, operation.reference)
      if ('result' in answer) return answer
      const outcome = outcomeIn(answer, operation, parentId)
      // The payment's state explains why it is not voided.
      if (operation.type !== 'void' || outcome.result !== 'declined' || parentId === undefined) return outcome
      if (answer.status === 404) return outcome
      const { fundingStatus } = await withId(parentId, credentials)
      return fundingStatus && fundingStatus !== 'pending'
        ? { ...outcome, statusCode: 'already_settled' }
        : outcome
    },

    async find(operation, _, credentials): Promise<FoundOutcome> {
      const { type, reference } = operation
      if (type === 'capture' || type === 'void') {
        const id = await parentOf(operation, credentials)
        return id === undefined ? 'cannot_say' : outcomeOn(await withId(id, credentials), type)
      }
      const found = await withReference(reference, credentials)
      return found ? outcomeOf(found, type) : 'never_seen'
    },

    async check(credentials) {
      const answer = await send({ method: 'GET', path: '/transactions?limit=1' }, credentials)
      if ('result' in answer) return { ok: false, found: answer.problem }
      if (answer.status === 200) return { ok: true, found: `${credentials.baseUrl} takes payments` }
      return {
        ok: false,
        found: `${credentials.baseUrl} answers ${answer.status}: ${problemIn(bodyOf(answer))}`,
      }
    },

    ...peerNotices({ read, withId }),
    ...peerSettlements({ read }),
    operations: peerOperations(read),
  }
}

/** Outcome in an answer. Throws `UnknownOutcome` where it is not certain, or concerns another operation. */
function outcomeIn(
  answer: RailResponse,
  operation: GatewayOperation,
  parentId: string | undefined,
): GatewayOutcome {
  const body = bodyOf(answer)
  const { type } = operation
  switch (answer.status) {
    case 200: {
      const transaction = peerTransaction(body)
      if (!transaction) throw new UnknownOutcome('The peer answers no transaction')
      expectAbout(transaction, operation, parentId)
      if (type !== 'capture' && type !== 'void') return outcomeOf(transaction, type)
      const outcome = outcomeOn(transaction, type)
      if (typeof outcome === 'object') return outcome
      throw new UnknownOutcome(`The peer answers ${transaction.status} to a ${type}`)
    }
    case 400: {
      const declined = body.error_type === 'TransactionDeclined' ? peerTransaction(body.details) : undefined
      if (declined) {
        expectAbout(declined, operation, parentId)
        return outcomeOf(declined, type)
      }
      return { result: 'declined', statusCode: codeOf(body), code: String(body.error_type) }
    }
    case 404:
      return notFound(body, type)
    case 401:
    case 403:
      return { result: 'misconfigured', problem: `${answer.status}: ${problemIn(body)}` }
    case 429:
      return { result: 'not_sent', problem: 'The peer takes no more requests for now' }
    default:
      throw new UnknownOutcome(`The peer answers ${answer.status}`)
  }
}

/** The payment that is captured or voided is not there any more; for a new one there is no such path. */
function notFound(body: Input, type: GatewayOperation['type']): GatewayOutcome {
  const isGone = (type === 'capture' || type === 'void') && body.error_type === 'NotFound'
  return isGone
    ? { result: 'declined', statusCode: 'declined', code: 'NotFound' }
    : { result: 'misconfigured', problem: `404: ${problemIn(body)}` }
}

/** Throws `UnknownOutcome` where an answer concerns another transaction than requested. */
function expectAbout(
  { id, reference }: PeerTransaction,
  operation: GatewayOperation,
  parentId: string | undefined,
): void {
  const isOnParent = operation.type === 'capture' || operation.type === 'void'
  if (isOnParent ? id === parentId : reference === operation.reference) return
  throw new UnknownOutcome(`The peer's answer is of ${id}`)
}

/** Attributes that a peer may refuse, and their meaning for the method. */
const CODES: readonly (readonly [RegExp, string])[] = [
  [/card_number/, 'invalid_card_number'],
  [/expiry/, 'card_expired'],
  [/card_code/, 'invalid_card_code'],
  [/postal_code/, 'invalid_zip'],
  [/transaction_limit|Exceeds/, 'exceeded_limit'],
]

function codeOf({ error_description: description }: Input): string {
  const text = String(description)
  return CODES.find(([pattern]) => pattern.test(text))?.[1] ?? 'declined'
}

function problemIn({ error_description: description }: Input): string {
  return typeof description === 'string' ? description : 'no reason is given'
}

function bodyOf({ status, body }: RailResponse): Input {
  const parsed = parsedJson(body)
  if (isTree(parsed)) return parsed
  throw new UnknownOutcome(`The peer answers ${status} without an object`)
}
