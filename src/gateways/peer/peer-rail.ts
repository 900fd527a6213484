import type { Input } from '../../schema/types.js'
import type {
  Capabilities,
  Credentials,
  FoundOutcome,
  GatewayOperation,
  Rail,
  RailEffects,
} from '../contract.js'
import { checkEndpoint } from '../endpoint-check.js'
import type { GatewayCheck } from '../gateway-check.js'
import { RefusedReading, responseOrNotSent, Unanswered, UnknownOutcome } from '../unknown-outcome.js'
import {
  listedIn,
  notSent,
  outcomeIn,
  peerBody,
  peerRefusal,
  problemIn,
  refusesReturn,
} from './peer-answer.js'
import { peerCancel } from './peer-cancel.js'
import { type PeerCall, peerEndpoints } from './peer-endpoints.js'
import { checkFields, peerFields } from './peer-fields.js'
import { peerNotices } from './peer-notices.js'
import { peerOperations } from './peer-operations.js'
import { type PeerRequest, peerRequest } from './peer-request.js'
import { peerSettlements } from './peer-settlements.js'
import { keepMethod, peerStore } from './peer-store.js'
import {
  outcomeOf,
  outcomeOn,
  type PeerTransaction,
  peerTransaction,
  referenceIn,
} from './peer-transaction.js'

const CAPABILITIES: Capabilities = {
  methods: ['card', 'bank_account'],
  bankNumbers: true,
  partialRefund: true,
  partialCapture: true,
  voidCaptured: 'void',
  refundBeforeSettlement: true,
  settlesRefunded: false,
  authorizationLifetime: 7 * 86_400_000,
  tokens: false,
  authentication: true,
  store: true,
  idempotency: 'search',
  horizon: 2 * 60_000,
  reports: {
    fees: true,
    payouts: true,
    disputes: true,
    failedRefunds: true,
    failedPayouts: false,
    reserves: false,
  },
}

/**
 * Cards and bank accounts at any server with the same HTTP API as payctl. `find` searches an operation by the
 * reference in its transaction's `attrs`; a capture or a void is seen in the payment's state.
 */
export function peerRail({ http, now }: RailEffects): Rail {
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

  /**
   * Sends a request and returns the object in its answer. Throws `RefusedReading` if the peer refuses the key or the
   * merchant, otherwise `UnknownOutcome`.
   */
  const call: PeerCall = async (request, credentials) => {
    const answer = await send(request, credentials)
    if ('result' in answer) throw new Unanswered(answer.problem)
    const refusal = peerRefusal(answer)
    if (refusal) throw new RefusedReading(refusal)
    if (answer.status !== 200) throw new UnknownOutcome(`${request.path} was answered ${answer.status}`)
    return peerBody(answer)
  }

  const read = async (path: string, credentials: Credentials): Promise<Input> =>
    await call({ method: 'GET', path }, credentials)

  const endpoints = peerEndpoints(call)
  const fields = peerFields({ send, now })

  const withReference = async (
    reference: string,
    credentials: Credentials,
  ): Promise<PeerTransaction | undefined> => {
    const query = `attrs[reference]=${encodeURIComponent(reference)}&limit=2`
    const values = listedIn(await read(`/transactions?${query}`, credentials))
    const own = values.filter((each) => referenceIn(each) === reference)
    // A list with other transactions is not reliable, and a transaction in an unknown state may have taken the money.
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

  /** Sends an operation. If the peer refuses its `return_url`, sends it again without one. */
  const begin = async (
    operation: GatewayOperation,
    parentId: string | undefined,
    credentials: Credentials,
  ) => {
    const { reference, returnUrl } = operation
    const answer = await send(peerRequest(operation, parentId, credentials), credentials, reference)
    if (returnUrl === undefined || 'result' in answer || !refusesReturn(answer)) return answer
    const request = peerRequest({ ...operation, returnUrl: undefined }, parentId, credentials)
    return await send(request, credentials, `${reference} without return_url`)
  }

  const checkAccount = async (credentials: Credentials): Promise<GatewayCheck> => {
    const name = 'account'
    const answer = await send({ method: 'GET', path: '/transactions?limit=1' }, credentials)
    if ('result' in answer) return { name, state: 'failed', found: answer.problem }
    const { baseUrl } = credentials
    if (answer.status !== 200)
      return { name, state: 'failed', found: `${baseUrl} answers ${answer.status}: ${problemIn(answer)}` }
    listedIn(peerBody(answer))
    return { name, state: 'ok', found: `${baseUrl} takes payments` }
  }

  /** Checks whether the peer has the processing account. */
  const checkMerchant = async (id: string, credentials: Credentials): Promise<GatewayCheck> => {
    const name = 'charges'
    const answer = await send(
      { method: 'GET', path: `/processing_accounts/${encodeURIComponent(id)}` },
      credentials,
    )
    if ('result' in answer) return { name, state: 'failed', found: answer.problem }
    if (answer.status === 404) return { name, state: 'failed', found: `It has no processing account ${id}` }
    if (answer.status !== 200) return { name, state: 'unavailable', found: `Not known: ${problemIn(answer)}` }
    return { name, state: 'ok', found: `It has the processing account ${id}` }
  }

  return {
    capabilities: CAPABILITIES,

    async perform(operation, credentials) {
      const parentId = await parentOf(operation, credentials).catch(notSent)
      if (typeof parentId === 'object') return parentId
      const notKept = await keepMethod({ send, now }, operation, credentials).catch(notSent)
      if (notKept) return notKept
      const answer = await begin(operation, parentId, credentials)
      if ('result' in answer) return answer
      const outcome = outcomeIn(answer, operation, { parentId, now: now() })
      // A declined void may mean that the payment is already settled; its funding status shows that.
      if (operation.type !== 'void' || outcome.result !== 'declined' || parentId === undefined) return outcome
      if (answer.status === 404) return outcome
      const { fundingStatus, amount } = await withId(parentId, credentials)
      return fundingStatus && fundingStatus !== 'pending'
        ? { ...outcome, statusCode: 'already_settled', captured: amount }
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

    async check(gateway, credentials) {
      const account = await checkAccount(credentials)
      if (account.state === 'failed') return [account]
      const { merchant, secrets } = credentials
      return [
        account,
        ...(merchant === undefined ? [] : [await checkMerchant(merchant, credentials)]),
        await checkFields(() => fields.fields(undefined, credentials)),
        // A peer that does not sign has no secret. Its notifications are still usable, because every object is read
        // from the peer.
        await checkEndpoint(gateway, true, () => endpoints.list(credentials)),
        secrets['notification_secret'] === undefined
          ? { name: 'secret', state: 'unavailable', found: 'None is kept: notifications are taken unsigned' }
          : { name: 'secret', state: 'ok', found: 'It is kept: notifications are verified by it' },
      ]
    },
    endpoints,

    cancel: peerCancel({ send, withId, withReference }),
    ...fields,
    ...peerStore({ send, read, now }),
    ...peerNotices({ read, send, withId, now }),
    ...peerSettlements({ read }),
    operations: peerOperations(read),
  }
}
