import type { RailResponse } from '../../platform/network/rail-client.js'
import { type Input, isTree } from '../../schema/types.js'
import type {
  ApprovedOutcome,
  Credentials,
  FoundOutcome,
  GatewayOperation,
  GatewayOutcome,
  NotSentOutcome,
} from '../contract.js'
import type { StoreOperation } from '../payer-action.js'
import { rateLimited } from '../rate-limit.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { listedIn, peerBody, peerRefusal, refusedAttributeCode } from './peer-answer.js'
import { type PeerRequest, peerMethod } from './peer-request.js'
import { referenceIn } from './peer-transaction.js'

interface Calls {
  send(request: PeerRequest, credentials: Credentials, key?: string): Promise<RailResponse | NotSentOutcome>
  read(path: string, credentials: Credentials): Promise<Input>
  /** Milliseconds since 1970. */
  now(): number
}

const METHOD_ID = /^pm_[\x21-\x7e]{1,250}$/

const UNKNOWN_TOKEN = { result: 'declined', statusCode: 'token_unknown', isHard: true } as const

/** Whether a text has the form of a payment method's id. */
export function isMethodId(text: string): boolean {
  return METHOD_ID.test(text)
}

/**
 * Request that makes a page's single-use method at the peer permanent. It adds our reference if the method is stored
 * without a payment.
 */
function keepingMethod(token: string, reference?: string): PeerRequest {
  const body = { keep_active: true, ...(reference !== undefined && { attrs: { reference } }) }
  return { method: 'PUT', path: `/payment_methods/${encodeURIComponent(token)}`, body }
}

/**
 * Makes a page's method at the peer permanent before the first payment with it. Undefined if that succeeded or is not
 * needed. Otherwise the outcome of the payment, which must not be sent: later payments with the method would fail.
 */
export async function keepMethod(
  { send, now }: Pick<Calls, 'send' | 'now'>,
  { type, method }: GatewayOperation,
  credentials: Credentials,
): Promise<GatewayOutcome | undefined> {
  const isFirst = (type === 'sale' || type === 'authorize') && method?.isStored !== true
  if (!isFirst || method?.token === undefined || method.isKept === false) return undefined
  const answer = await send(keepingMethod(method.token), credentials)
  if ('result' in answer) return answer
  if (answer.status === 200) return undefined
  const refusal = peerRefusal(answer)
  if (refusal) return refusal
  if (answer.status === 429) return rateLimited(answer.headers['retry-after'], now())
  if (answer.status === 400 || answer.status === 404) return UNKNOWN_TOKEN
  throw new UnknownOutcome(`The peer answers ${answer.status}`)
}

/**
 * Stores a method as a payment method at the peer, or makes a page's method there permanent. The token is its id at the
 * peer. After an unknown outcome it is found by our reference.
 */
export function peerStore({ send, read, now }: Calls) {
  return {
    async store(operation: StoreOperation, credentials: Credentials): Promise<GatewayOutcome> {
      const { reference, method } = operation
      const body = { ...peerMethod(method), keep_active: true, attrs: { reference } }
      const request: PeerRequest =
        method?.token === undefined
          ? { method: 'POST', path: '/payment_methods', body }
          : keepingMethod(method.token, reference)
      const answer = await send(request, credentials, reference)
      return 'result' in answer ? answer : storedOrRefused(answer, operation, now())
    },

    async findStored(
      { reference }: StoreOperation,
      _: unknown,
      credentials: Credentials,
    ): Promise<FoundOutcome> {
      const query = `attrs[reference]=${encodeURIComponent(reference)}&limit=2`
      const [first] = listedIn(await read(`/payment_methods?${query}`, credentials))
      return first === undefined ? 'never_seen' : storedOutcome(first, reference)
    },
  }
}

function storedOrRefused(
  answer: RailResponse,
  { reference, method }: StoreOperation,
  now: number,
): GatewayOutcome {
  const refusal = peerRefusal(answer)
  if (refusal) return refusal
  switch (answer.status) {
    case 200:
      return storedOutcome(peerBody(answer), reference)
    case 429:
      return rateLimited(answer.headers['retry-after'], now)
    case 404:
      if (method?.token !== undefined) return UNKNOWN_TOKEN
      break
    case 400: {
      const { error_type: error, ...refused } = peerBody(answer)
      if (error !== 'InvalidAttributes')
        throw new UnknownOutcome('The peer answers 400 without a known error')
      return { result: 'declined', statusCode: refusedAttributeCode(refused), code: error }
    }
  }
  throw new UnknownOutcome(`The peer answers ${answer.status}`)
}

function storedOutcome(value: unknown, reference: string): ApprovedOutcome {
  const id = isTree(value) ? value.id : undefined
  if (typeof id !== 'string' || !METHOD_ID.test(id) || referenceIn(value) !== reference)
    throw new UnknownOutcome(`The peer answers no payment method for ${reference}`)
  return { result: 'approved', gatewayId: id, amount: 0, token: id }
}
