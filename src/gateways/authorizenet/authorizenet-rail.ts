import { ReadBudgets } from '../../platform/network/read-budget.js'
import type {
  ApprovedOutcome,
  Capabilities,
  Credentials,
  FoundOperation,
  FoundOutcome,
  GatewayOperation,
  GatewayOutcome,
  Rail,
  RailEffects,
} from '../contract.js'
import { NO_REPORTS } from '../rail-reports.js'
import { isUnanswered, UnknownOutcome } from '../unknown-outcome.js'
import { authorizeNetApi, textIn } from './authorizenet-api.js'
import { authorizeNetCheck } from './authorizenet-check.js'
import { authorizeNetEndpoints } from './authorizenet-endpoints.js'
import { acceptFields } from './authorizenet-fields.js'
import { authorizeNetLists } from './authorizenet-lists.js'
import { authorizeNetNotification } from './authorizenet-notifications.js'
import { authorizeNetOperations } from './authorizenet-operations.js'
import { answerIn, type TransactionAnswer } from './authorizenet-outcome.js'
import { describeStored, describeToken } from './authorizenet-profile.js'
import { type AuthorizeNetParent, isToBeStored, transactionFields } from './authorizenet-request.js'
import { authorizeNetReturns } from './authorizenet-returns.js'
import { authorizeNetSettlements } from './authorizenet-settlements.js'
import { findProfile, storeProfile } from './authorizenet-store.js'
import {
  type AuthorizeNetTransaction,
  authorizeNetTransaction,
  outcomeOfTransaction,
  outcomeOnTransaction,
  type Phase,
  returnsOf,
} from './authorizenet-transaction.js'
import { DUPLICATE } from './reason-codes.js'

const DAY = 86_400_000
/** Reason code of the capture of a payment that was captured before. */
const ALREADY_CAPTURED = '311'

/** Milliseconds to read a card's expiry after its payment. It is short, because the client waits for the answer. */
const EXPIRY_MILLISECONDS = 5_000
/** Error code for a customer profile or payment profile that does not exist. */
const UNKNOWN_RECORD = 'E00040'

const CAPABILITIES: Capabilities = {
  methods: ['card', 'bank_account'],
  bankNumbers: true,
  partialRefund: true,
  partialCapture: true,
  voidCaptured: 'void',
  refundBeforeSettlement: false,
  settlesRefunded: true,
  authorizationLifetime: 30 * DAY,
  tokens: false,
  authentication: false,
  store: true,
  idempotency: 'contents',
  horizon: 10 * 60_000,
  reports: NO_REPORTS,
}

/**
 * Cards and bank accounts at Authorize.Net, which has no idempotency keys. Every operation has a unique invoice number,
 * by which the gateway's lists are searched. The gateway refuses repeated contents for eight hours, so a repeated
 * request is executed once.
 */
export function authorizenetRail({ http, now }: RailEffects): Rail {
  const api = authorizeNetApi({ http, now })
  const lists = authorizeNetLists(api)
  const fields = acceptFields(api)

  const withId = async (transId: string, credentials: Credentials): Promise<AuthorizeNetTransaction> => {
    const body = await api.ask('getTransactionDetailsRequest', { transId }, credentials)
    const found = authorizeNetTransaction(body.transaction)
    if (found?.id !== transId) throw new UnknownOutcome(`There is no transaction for ${transId}`)
    return found
  }

  const find: Rail['find'] = async (operation, sent, credentials): Promise<FoundOutcome> => {
    const { type, parent, reference } = operation
    if (type === 'capture' || type === 'void') {
      if (!parent?.gatewayId) return 'cannot_say'
      return outcomeOnTransaction(await withId(parent.gatewayId, credentials), operation)
    }
    const located = sent.gatewayId
      ? { gatewayId: sent.gatewayId }
      : ((await locate([{ ...sent, operation }], credentials)).get(reference) ?? 'cannot_say')
    if (typeof located === 'string') return located
    const found = await withId(located.gatewayId, credentials)
    return isMadeBy(operation, found) ? outcomeOfTransaction(found, type) : 'cannot_say'
  }

  const locate: NonNullable<Rail['locate']> = async (sent, credentials) => {
    const invoices = new Map(
      sent.flatMap(({ operation: { type, refNumber, reference } }) =>
        type === 'capture' || type === 'void' || refNumber === undefined ? [] : [[refNumber, reference]],
      ),
    )
    if (invoices.size === 0) return new Map()
    const from = Math.min(...sent.map(({ since }) => since)) - DAY
    const located = await lists.locate([...invoices.keys()], { from, to: now() }, credentials)
    return new Map([...located].map(([invoice, where]) => [invoices.get(invoice) ?? invoice, where]))
  }

  /** The payment to refund, or the outcome of the refund if it cannot be sent. */
  const refundable = async (
    { parent }: GatewayOperation,
    credentials: Credentials,
  ): Promise<AuthorizeNetParent | GatewayOutcome> => {
    const reply = await api.call('getTransactionDetailsRequest', { transId: parent?.gatewayId }, credentials)
    if (reply.result !== 'answered') return reply
    const found = authorizeNetTransaction(reply.body.transaction)
    if (!found || found.id !== parent?.gatewayId)
      return {
        result: 'not_sent',
        problem: 'The payment that is to be refunded could not be read',
        isReached: true,
      }
    if (found.phase === 'settled') return { id: found.id, ...(found.payment && { payment: found.payment }) }
    const statusCode = found.phase === 'captured' ? 'not_settled' : 'declined'
    return { result: 'declined', statusCode, code: found.phase ?? null }
  }

  const parentOf = async (
    operation: GatewayOperation,
    credentials: Credentials,
  ): Promise<AuthorizeNetParent | GatewayOutcome | undefined> => {
    const { parent, type } = operation
    if (!parent) return undefined
    if (parent.gatewayId === null)
      return {
        result: 'not_sent',
        problem: `What became of ${parent.reference} is not known yet`,
        isReached: true,
      }
    if (type !== 'refund') return { id: parent.gatewayId }
    try {
      return await refundable(operation, credentials)
    } catch (error) {
      if (!(error instanceof UnknownOutcome)) throw error
      return { result: 'not_sent', problem: error.message, ...(!isUnanswered(error) && { isReached: true }) }
    }
  }

  const submit = async (
    operation: GatewayOperation,
    parent: AuthorizeNetParent | undefined,
    credentials: Credentials,
  ): Promise<TransactionAnswer> => {
    const fields = transactionFields(operation, parent)
    const reply = await api.call('createTransactionRequest', fields, credentials)
    if (reply.result === 'declined' && reply.code === UNKNOWN_RECORD && operation.method?.token !== undefined)
      return { ...reply, statusCode: 'token_unknown', isHard: true }
    if (reply.result !== 'answered') return reply
    const echo = textIn(reply.body, 'refId')
    if (echo !== undefined && echo !== fields.refId)
      throw new UnknownOutcome(`The answer is to ${echo}, not to ${fields.refId}`)
    return answerIn(reply.body, operation)
  }

  /**
   * Adds the card's expiry to an approved payment. It is read from the new profile, because the payment's answer does
   * not have it.
   */
  const withExpiry = async (answer: ApprovedOutcome, credentials: Credentials): Promise<ApprovedOutcome> => {
    if (!answer.token) return answer
    const limited = authorizeNetApi({
      http: { ...http, send: (request) => http.send({ ...request, milliseconds: EXPIRY_MILLISECONDS }) },
      now,
    })
    const stored = await describeStored(limited, answer.token, credentials)
    return { ...answer, method: { ...stored, ...answer.method } }
  }

  return {
    capabilities: CAPABILITIES,
    fieldMethods: () => ['card'],
    fields: async (_merchant, credentials) => await fields(credentials),
    describe: async (given, credentials) => await describeToken(api, given, credentials),

    async perform(operation, credentials) {
      const since = now()
      const parent = await parentOf(operation, credentials)
      if (parent && 'result' in parent) return parent
      const answer = await submit(operation, parent, credentials)
      if (answer !== DUPLICATE && answer.result === 'approved' && isToBeStored(operation))
        return await withExpiry(answer, credentials)
      if (answer !== DUPLICATE && !mayHaveBeenDone(operation, answer)) return answer
      // The request was a duplicate, or its parent's state did not allow it: the operation may have been executed
      // before. A budget limits the search, because the client waits.
      const budget = new ReadBudgets().begin()
      const limited = authorizenetRail({ http: budget.client(http), now })
      const found = await limited.find(operation, { since }, credentials)
      if (typeof found === 'object') return found
      if (answer !== DUPLICATE) return answer
      throw new UnknownOutcome('It was sent before, and is not listed yet')
    },

    find,
    locate,
    store: async (operation, credentials) => await storeProfile(api, operation, credentials),
    findStored: async (operation, _, credentials) => await findProfile(api, operation, credentials),

    receive: authorizeNetNotification,
    notifications: authorizeNetReturns(lists, now),

    async read({ gatewayId }, credentials) {
      if (gatewayId === undefined) return []
      const found = await withId(gatewayId, credentials)
      const operation = operationIn(found)
      return [...(operation ? [operation] : []), ...returnsOf(found)]
    },

    settlements: authorizeNetSettlements(lists, now),
    operations: authorizeNetOperations({
      lists,
      now,
      at: async (id, at) => operationIn(await withId(id, at)),
    }),

    check: authorizeNetCheck(api, http),
    endpoints: authorizeNetEndpoints(http),
  }
}

/**
 * Whether the parent's state decides the outcome of a capture or a void. The parent did not allow the operation, or was
 * captured before, perhaps in part.
 */
function mayHaveBeenDone({ type }: GatewayOperation, answer: GatewayOutcome): boolean {
  if (type !== 'capture' && type !== 'void') return false
  return answer.result === 'declined' || (answer.result === 'approved' && answer.code === ALREADY_CAPTURED)
}

/** Whether a transaction may come from an operation: it has the same kind and, if it has any reference, our reference. */
function isMadeBy({ type, reference }: GatewayOperation, found: AuthorizeNetTransaction): boolean {
  const isRefund = TYPES.get(found.type ?? '') === 'refund'
  const isOurs = found.reference === undefined || found.reference === reference
  return isOurs && isRefund === (type === 'refund' || type === 'credit')
}

/**
 * Current state of the operation behind a transaction; undefined for kinds of transaction that payctl never requests.
 * Throws `UnknownOutcome` for a transaction without an amount, in an unknown state, or of an unknown type if it concerns
 * a payment. Otherwise its notification would be handled without an effect.
 */
function operationIn(found: AuthorizeNetTransaction): FoundOperation | undefined {
  const { id, reference, parent } = found
  const type = TYPES.get(found.type ?? '')
  if (type === undefined) {
    if (found.type === CAPTURE_ONLY || (reference ?? parent) === undefined) return undefined
    throw new UnknownOutcome(`The transaction ${id} has the type ${found.type}`)
  }
  const amount = found.settled ?? found.authorized
  if (amount === undefined) throw new UnknownOutcome(`The transaction ${id} has no amount`)
  const outcome = outcomeOfTransaction(found, type)
  if (typeof outcome === 'string') throw new UnknownOutcome(`The state of the transaction ${id} is unknown`)
  if (type === 'refund') return { kind: 'operation', reference, type, amount, outcome, parent }
  const state = STATES[found.phase ?? 'review']
  return { kind: 'operation', reference, type, amount, outcome, state }
}

/** State of a payment, by its phase; undefined for an undecided or a declined payment. */
const STATES: Readonly<Record<Phase, FoundOperation['state']>> = {
  review: undefined,
  declined: undefined,
  authorized: 'authorized',
  captured: 'captured',
  settled: 'captured',
  voided: 'voided',
  expired: 'voided',
}

/** A documented type that is never requested here: a capture of an authorization by phone. */
const CAPTURE_ONLY = 'captureOnlyTransaction'

/** Our type of operation, by Authorize.Net's type of transaction. */
const TYPES: ReadonlyMap<string, GatewayOperation['type']> = new Map([
  ['authCaptureTransaction', 'sale'],
  ['authOnlyTransaction', 'authorize'],
  ['refundTransaction', 'refund'],
])
