import type { RailResponse } from '../../platform/network/rail-client.js'
import { parsedJson } from '../../schema/json.js'
import { type Input, isTree } from '../../schema/types.js'
import type { GatewayOperation, GatewayOutcome, MisconfiguredOutcome, RefusalScope } from '../contract.js'
import { isHardCode } from '../hard-declines.js'
import { rateLimited } from '../rate-limit.js'
import { RefusedReading, Unanswered, UnknownOutcome } from '../unknown-outcome.js'
import {
  newOutcome,
  outcomeOf,
  outcomeOn,
  type PeerTransaction,
  peerTransaction,
} from './peer-transaction.js'

/** Outcome of an operation that was not sent, because a query before it failed. */
export function notSent(error: unknown): GatewayOutcome {
  if (error instanceof RefusedReading)
    return { result: 'misconfigured', scope: error.scope, problem: error.message }
  if (error instanceof Unanswered) return { result: 'not_sent', problem: error.message }
  if (error instanceof UnknownOutcome) return { result: 'not_sent', problem: error.message, isReached: true }
  throw error
}

/**
 * Outcome in the peer's answer to an operation. Throws `UnknownOutcome` if the answer is not conclusive, or is about
 * another operation.
 */
export function outcomeIn(
  answer: RailResponse,
  operation: GatewayOperation,
  { parentId, now }: { readonly parentId: string | undefined; readonly now: number },
): GatewayOutcome {
  const { type } = operation
  const refusal = peerRefusal(answer)
  if (refusal) return refusal
  switch (answer.status) {
    case 200: {
      const transaction = peerTransaction(peerBody(answer))
      if (!transaction) throw new UnknownOutcome('The peer answers no transaction in a known state')
      expectAbout(transaction, operation, parentId)
      if (type !== 'capture' && type !== 'void') return newOutcome(transaction, type)
      const outcome = outcomeOn(transaction, type)
      if (typeof outcome === 'object') return outcome
      throw new UnknownOutcome(`The peer answers ${transaction.status} to a ${type}`)
    }
    case 400:
      return refusedRequest(peerBody(answer), operation, parentId)
    case 404:
      return notFound(answer, operation)
    case 429:
      return rateLimited(answer.headers['retry-after'], now)
    default:
      throw new UnknownOutcome(`The peer answers ${answer.status}`)
  }
}

/**
 * Outcome of an answer with status 401 (wrong key: the whole gateway) or 403 (no permission, or unknown account: the
 * merchant). Undefined for any other status.
 */
export function peerRefusal(answer: RailResponse): MisconfiguredOutcome | undefined {
  const { status } = answer
  if (status !== 401 && status !== 403) return undefined
  const scope = status === 401 ? 'gateway' : 'merchant'
  return { result: 'misconfigured', scope, problem: `${status}: ${problemIn(answer)}` }
}

/** Outcome of an answer with status 400: a decline, or a refusal of the merchant or of the kind of method. */
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
  if (operation.isPart && isTree(details) && details.amount !== undefined) return refusedPart(textOf(body))
  const scope = operation.parent ? undefined : refusedScopeIn(details)
  if (scope) return { result: 'misconfigured', scope, problem: `400: ${textOf(body)}` }
  const statusCode = refusedAttributeCode(body)
  return { result: 'declined', statusCode, isHard: isHardCode(statusCode), code: error }
}

/**
 * Scope of the refusal of a new payment, by the attribute that the peer refuses. Undefined if only this payment is
 * refused.
 */
function refusedScopeIn(details: unknown): RefusalScope | undefined {
  if (!isTree(details)) return undefined
  if (details.processing_id !== undefined) return 'merchant'
  const { payment_method: method } = details
  if (typeof method !== 'string' || !/ not enabled /.test(method)) return undefined
  if (/^card /i.test(method)) return 'card'
  return /^bank account /i.test(method) ? 'bank_account' : undefined
}

/** Outcome of a partial capture at a peer that cannot capture a part. The payment stays authorized at both ends. */
function refusedPart(problem: string): GatewayOutcome {
  return { result: 'not_sent', problem: `The peer captures no part: ${problem}`, isReached: true }
}

/** Whether a peer refuses a payment because of its `return_url`. The peer has then not started the payment. */
export function refusesReturn({ status, body }: RailResponse): boolean {
  const parsed = status === 400 ? parsedJson(body) : undefined
  return isTree(parsed) && isTree(parsed.details) && parsed.details.return_url !== undefined
}

/**
 * Outcome of an answer with status 404. For a capture or a void, the payment no longer exists. For a new operation, the
 * peer's address is wrong.
 */
function notFound(answer: RailResponse, { type, isPart }: GatewayOperation): GatewayOutcome {
  if (isPart) return refusedPart(problemIn(answer))
  const body = parsedJson(answer.body)
  const isKnown = isTree(body) && body.error_type === 'NotFound'
  if (isKnown && (type === 'capture' || type === 'void'))
    return { result: 'declined', statusCode: 'declined', code: 'NotFound' }
  return { result: 'misconfigured', scope: 'gateway', problem: `404: ${problemIn(answer)}` }
}

/** Throws `UnknownOutcome` if an answer is about another transaction than requested. */
function expectAbout(
  { id, reference }: PeerTransaction,
  operation: GatewayOperation,
  parentId: string | undefined,
): void {
  const isOnParent = operation.type === 'capture' || operation.type === 'void'
  if (isOnParent ? id === parentId : reference === operation.reference) return
  throw new UnknownOutcome(`The peer's answer is of ${id}`)
}

/** Our status code, by the attribute that the peer's error text names. */
const CODES: readonly (readonly [RegExp, string])[] = [
  [/payment_method_id/, 'token_unknown'],
  [/card_number/, 'invalid_card_number'],
  [/expiry/, 'card_expired'],
  [/card_code/, 'invalid_card_code'],
  [/postal_code/, 'invalid_zip'],
  [/transaction_limit|Exceeds/, 'exceeded_limit'],
]

/** Our status code for a refused attribute; `declined` for any other attribute. */
export function refusedAttributeCode({ error_description: description }: Input): string {
  const text = String(description)
  return CODES.find(([pattern]) => pattern.test(text))?.[1] ?? 'declined'
}

/** Reason in the peer's answer, for people. The answer need not be JSON. */
export function problemIn({ body }: RailResponse): string {
  const parsed = parsedJson(body)
  return textOf(isTree(parsed) ? parsed : {})
}

function textOf({ error_description: description }: Input): string {
  return typeof description === 'string' ? description.slice(0, 500) : 'no reason is given'
}

/** The values of a list. Throws `UnknownOutcome` if the answer is no list. */
export function listedIn({ object = 'list', values }: Input): readonly unknown[] {
  if (object !== 'list' || !Array.isArray(values)) throw new UnknownOutcome('The peer answers no list')
  return values
}

/** The object in an answer. Throws `UnknownOutcome` if there is none. */
export function peerBody({ status, body }: RailResponse): Input {
  const parsed = parsedJson(body)
  if (isTree(parsed)) return parsed
  throw new UnknownOutcome(`The peer answers ${status} without an object`)
}
