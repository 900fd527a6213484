import type { RailResponse } from '../../platform/network/rail-client.js'
import { parsedJson } from '../../schema/json.js'
import { type Input, isTree } from '../../schema/types.js'
import type {
  Capabilities,
  Credentials,
  FoundOutcome,
  GatewayOperation,
  GatewayOutcome,
  MisconfiguredOutcome,
  Rail,
  RailEffects,
  RefusalScope,
} from '../contract.js'
import { RefusedReading, responseOrNotSent, Unanswered, UnknownOutcome } from '../unknown-outcome.js'
import { peerNotices } from './peer-notices.js'
import { peerOperations } from './peer-operations.js'
import { type PeerRequest, peerRequest } from './peer-request.js'
import { peerSettlements } from './peer-settlements.js'
import {
  newOutcome,
  outcomeOf,
  outcomeOn,
  type PeerTransaction,
  peerTransaction,
  referenceIn,
} from './peer-transaction.js'

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

  /** Reads a path. Throws `UnknownOutcome` for anything but an answer, and `RefusedReading`. */
  const read = async (path: string, credentials: Credentials): Promise<Input> => {
    const answer = await send({ method: 'GET', path }, credentials)
    if ('result' in answer) throw new Unanswered(answer.problem)
    const refusal = refusalIn(answer)
    if (refusal) throw new RefusedReading(refusal)
    if (answer.status !== 200) throw new UnknownOutcome(`${path} was answered ${answer.status}`)
    return bodyOf(answer)
  }

  const withReference = async (
    reference: string,
    credentials: Credentials,
  ): Promise<PeerTransaction | undefined> => {
    const query = `attrs[reference]=${encodeURIComponent(reference)}&limit=2`
    const values = listedIn(await read(`/transactions?${query}`, credentials))
    const own = values.filter((each) => referenceIn(each) === reference)
    // A list of others is no answer, and one in an unknown state may have taken the money.
    if (own.length < values.length) throw new UnknownOutcome(`The peer lists others than ${reference}`)
    const found = own.map(peerTransaction)
    if (found.includes(undefined)) throw new UnknownOutcome(`The peer's state of ${reference} is unknown`)
    return found.find((each) => each?.status !== 'declined') ?? found[0]
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
      const parentId = await parentOf(operation, credentials).catch(notSent)
      if (typeof parentId === 'object') return parentId
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
      if (answer.status !== 200)
        return { ok: false, found: `${credentials.baseUrl} answers ${answer.status}: ${problemIn(answer)}` }
      listedIn(bodyOf(answer))
      return { ok: true, found: `${credentials.baseUrl} takes payments` }
    },

    ...peerNotices({ read, withId }),
    ...peerSettlements({ read }),
    operations: peerOperations(read),
  }
}

/** Result of an operation that could not be prepared: nothing was sent. */
function notSent(error: unknown): GatewayOutcome {
  if (error instanceof RefusedReading)
    return { result: 'misconfigured', scope: error.scope, problem: error.message }
  if (error instanceof Unanswered) return { result: 'not_sent', problem: error.message }
  if (error instanceof UnknownOutcome) return { result: 'not_sent', problem: error.message, isReached: true }
  throw error
}

/** Outcome in an answer. Throws `UnknownOutcome` where it is not certain, or concerns another operation. */
function outcomeIn(
  answer: RailResponse,
  operation: GatewayOperation,
  parentId: string | undefined,
): GatewayOutcome {
  const { type } = operation
  const refusal = refusalIn(answer)
  if (refusal) return refusal
  switch (answer.status) {
    case 200: {
      const transaction = peerTransaction(bodyOf(answer))
      if (!transaction) throw new UnknownOutcome('The peer answers no transaction in a known state')
      expectAbout(transaction, operation, parentId)
      if (type !== 'capture' && type !== 'void') return newOutcome(transaction, type)
      const outcome = outcomeOn(transaction, type)
      if (typeof outcome === 'object') return outcome
      throw new UnknownOutcome(`The peer answers ${transaction.status} to a ${type}`)
    }
    case 400:
      return refusedRequest(bodyOf(answer), operation, parentId)
    case 404:
      return notFound(answer, type)
    case 429:
      return { result: 'not_sent', problem: 'The peer takes no more requests for now' }
    default:
      throw new UnknownOutcome(`The peer answers ${answer.status}`)
  }
}

/** A refused key concerns the gateway; one that may not do this, or an unknown account, concerns the merchant. */
function refusalIn(answer: RailResponse): MisconfiguredOutcome | undefined {
  const { status } = answer
  if (status !== 401 && status !== 403) return undefined
  const scope = status === 401 ? 'gateway' : 'merchant'
  return { result: 'misconfigured', scope, problem: `${status}: ${problemIn(answer)}` }
}

/** Result of a request that the peer does not take: a decline, or a refusal of the merchant or the kind of method. */
function refusedRequest(
  body: Input,
  operation: GatewayOperation,
  parentId: string | undefined,
): GatewayOutcome {
  const { type } = operation
  const { error_type: error, details } = body
  if (error === 'TransactionDeclined') {
    const declined = peerTransaction(details)
    if (!declined) return { result: 'declined', statusCode: 'declined', code: error }
    expectAbout(declined, operation, parentId)
    if (declined.status !== 'declined')
      throw new UnknownOutcome(`The peer declines, and answers ${declined.status}`)
    return outcomeOf(declined, type)
  }
  if (error !== 'InvalidAttributes' && error !== 'BadRequest')
    throw new UnknownOutcome(`The peer answers 400 without a known error`)
  const scope = operation.parent ? undefined : refusedScopeIn(details)
  if (scope) return { result: 'misconfigured', scope, problem: `400: ${textOf(body)}` }
  return { result: 'declined', statusCode: codeOf(body), code: error }
}

/** Reach of a refused new payment, by the attribute that is refused; undefined where it concerns this payment alone. */
function refusedScopeIn(details: unknown): RefusalScope | undefined {
  if (!isTree(details)) return undefined
  if (details.processing_id !== undefined) return 'merchant'
  const { payment_method: method } = details
  if (typeof method !== 'string' || !/ not enabled /.test(method)) return undefined
  if (/^card /i.test(method)) return 'card'
  return /^bank account /i.test(method) ? 'bank_account' : undefined
}

/** The payment that is captured or voided is not there any more; for a new one there is no such path. */
function notFound(answer: RailResponse, type: GatewayOperation['type']): GatewayOutcome {
  const body = parsedJson(answer.body)
  const isKnown = isTree(body) && body.error_type === 'NotFound'
  if (isKnown && (type === 'capture' || type === 'void'))
    return { result: 'declined', statusCode: 'declined', code: 'NotFound' }
  return { result: 'misconfigured', scope: 'gateway', problem: `404: ${problemIn(answer)}` }
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

/** The reason in an answer, which may be no object. */
function problemIn({ body }: RailResponse): string {
  const parsed = parsedJson(body)
  return textOf(isTree(parsed) ? parsed : {})
}

function textOf({ error_description: description }: Input): string {
  return typeof description === 'string' ? description.slice(0, 500) : 'no reason is given'
}

/** The values of a list. Throws `UnknownOutcome` where the answer is none. */
function listedIn({ object = 'list', values }: Input): readonly unknown[] {
  if (object !== 'list' || !Array.isArray(values)) throw new UnknownOutcome('The peer answers no list')
  return values
}

function bodyOf({ status, body }: RailResponse): Input {
  const parsed = parsedJson(body)
  if (isTree(parsed)) return parsed
  throw new UnknownOutcome(`The peer answers ${status} without an object`)
}
