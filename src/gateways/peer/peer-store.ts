import type { RailResponse } from '../../platform/network/rail-client.js'
import { type Input, isTree } from '../../schema/types.js'
import type {
  ApprovedOutcome,
  Credentials,
  FoundOutcome,
  GatewayOutcome,
  NotSentOutcome,
} from '../contract.js'
import type { StoreOperation } from '../payer-action.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { listedIn, peerBody, peerRefusal, refusedAttributeCode } from './peer-answer.js'
import { type PeerRequest, peerMethod } from './peer-request.js'
import { referenceIn } from './peer-transaction.js'

interface Calls {
  send(request: PeerRequest, credentials: Credentials, key: string): Promise<RailResponse | NotSentOutcome>
  read(path: string, credentials: Credentials): Promise<Input>
}

const METHOD_ID = /^pm_[\x21-\x7e]{1,250}$/

/** Stores a method as a payment method of the peer; the token is its id, and it is found by our reference. */
export function peerStore({ send, read }: Calls) {
  return {
    async store(operation: StoreOperation, credentials: Credentials): Promise<GatewayOutcome> {
      const { reference, method } = operation
      const body = { ...peerMethod(method), keep_active: true, attrs: { reference } }
      const answer = await send({ method: 'POST', path: '/payment_methods', body }, credentials, reference)
      if ('result' in answer) return answer
      const refusal = peerRefusal(answer)
      if (refusal) return refusal
      if (answer.status === 200) return storedOutcome(peerBody(answer), reference)
      if (answer.status === 429)
        return { result: 'not_sent', problem: 'The peer takes no more requests for now' }
      if (answer.status !== 400) throw new UnknownOutcome(`The peer answers ${answer.status}`)
      const refused = peerBody(answer)
      if (refused.error_type !== 'InvalidAttributes')
        throw new UnknownOutcome('The peer answers 400 without a known error')
      return { result: 'declined', statusCode: refusedAttributeCode(refused), code: refused.error_type }
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

function storedOutcome(value: unknown, reference: string): ApprovedOutcome {
  const id = isTree(value) ? value.id : undefined
  if (typeof id !== 'string' || !METHOD_ID.test(id) || referenceIn(value) !== reference)
    throw new UnknownOutcome(`The peer answers no payment method for ${reference}`)
  return { result: 'approved', gatewayId: id, amount: 0, token: id }
}
