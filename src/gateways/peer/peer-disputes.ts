import type { RailResponse } from '../../platform/network/rail-client.js'
import { writeDataUrl } from '../../schema/data-url.js'
import { isDatetime } from '../../schema/datetime.js'
import { amountIn } from '../../schema/money.js'
import { type Input, isTree } from '../../schema/types.js'
import type {
  Credentials,
  DisputeAnswer,
  DisputeOutcome,
  DisputeStage,
  DisputeState,
  GatewayNotice,
  GatewayNotification,
  NotSentOutcome,
  RailDisputes,
} from '../contract.js'
import { rateLimited } from '../rate-limit.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { notSent, peerBody, peerRefusal, problemIn } from './peer-answer.js'
import type { PeerRequest } from './peer-request.js'
import { isTransactionId, type PeerTransaction } from './peer-transaction.js'

/** Requests to a peer. */
export interface PeerReading {
  send(request: PeerRequest, credentials: Credentials, key?: string): Promise<RailResponse | NotSentOutcome>
  read(path: string, credentials: Credentials): Promise<Input>
  withId(id: string, credentials: Credentials): Promise<PeerTransaction>
  /** Milliseconds since 1970. */
  now(): number
  /** Notices of the money that a chargeback or its reversal has moved. */
  takenBack(dispute: PeerTransaction, credentials: Credentials): Promise<readonly GatewayNotice[]>
}

const STAGES: readonly DisputeStage[] = ['inquiry', 'needs_response', 'under_review', 'won', 'lost']
const ID = /^dsp_[\w-]{1,60}$/
/** Maximal bytes of evidence. Files are sent as base64 in one request, and peers accept requests up to 4 MiB. */
const MAX_BYTES = 3_000_000
const MAX_LISTED = 100

/** The fields of a peer's dispute that are read. */
interface PeerDispute {
  readonly id: string
  readonly payment: string
  readonly chargeback: string | undefined
  readonly reversal: string | undefined
  readonly isPending: boolean
  readonly state: Pick<DisputeState, 'stage' | 'amount' | 'reason' | 'dueBy' | 'isAnswered'>
}

/** Whether a value has the form of a dispute's id. */
export function isDisputeId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value)
}

/**
 * Reads and answers disputes at a peer. A dispute that has taken money is identified by its chargeback's id: servers
 * without the path `/disputes` report only that id. An inquiry is identified by its own id.
 */
export function peerDisputes(reading: PeerReading) {
  const { send } = reading

  /** The object at a path; undefined if the peer answers 404. */
  const readIfThere = async (path: string, credentials: Credentials): Promise<Input | undefined> => {
    const answer = await send({ method: 'GET', path }, credentials)
    if ('result' in answer) return await reading.read(path, credentials)
    if (answer.status === 404) return undefined
    return answer.status === 200 ? peerBody(answer) : await reading.read(path, credentials)
  }

  const listed = async (query: string, credentials: Credentials): Promise<readonly PeerDispute[]> => {
    const { values } = (await readIfThere(`/disputes?${query}`, credentials)) ?? { values: [] }
    if (!Array.isArray(values)) throw new UnknownOutcome('The peer answers no list')
    return values.map(expectDispute)
  }

  /** Reads a dispute by its own id or by the id of its chargeback; undefined if the peer does not have it. */
  const disputeAt = async (at: string, credentials: Credentials): Promise<PeerDispute | undefined> => {
    if (!isDisputeId(at)) {
      const found = await listed(`chargeback_id=${encodeURIComponent(at)}&limit=2`, credentials)
      return found.find(({ chargeback }) => chargeback === at)
    }
    const found = await readIfThere(`/disputes/${encodeURIComponent(at)}`, credentials)
    const dispute = found && expectDispute(found)
    if (dispute && dispute.id !== at) throw new UnknownOutcome(`The peer answers no dispute for ${at}`)
    return dispute
  }

  const stateOf = async (found: PeerDispute, credentials: Credentials): Promise<DisputeState> => {
    const { id, payment, chargeback, state } = found
    const { reference = payment } = await reading.withId(payment, credentials)
    return { ...state, kind: 'dispute', dispute: chargeback ?? id, payment: reference, fee: null }
  }

  /** Notices about a dispute: first of the money that it moved, last of its state. */
  const noticesAbout = async (at: string, credentials: Credentials): Promise<readonly GatewayNotice[]> => {
    const found = await disputeAt(at, credentials)
    const ids = [found?.chargeback ?? (isTransactionId(at) ? at : undefined), found?.reversal]
    const notices: GatewayNotice[] = []
    for (const id of ids) {
      if (id === undefined) continue
      const money = await reading.takenBack(await reading.withId(id, credentials), credentials)
      notices.push(...money.map((notice) => (found ? { ...notice, inquiry: found.id } : notice)))
    }
    return found ? [...notices, await stateOf(found, credentials)] : notices
  }

  const disputes: RailDisputes = {
    evidence: [],
    bytesOfFile: MAX_BYTES,
    bytes: MAX_BYTES,
    read: async ({ dispute }, credentials) => await noticesAbout(dispute, credentials),
    async answer(given, credentials): Promise<DisputeOutcome> {
      const found = await disputeAt(given.dispute, credentials).catch(notSent)
      if (found && 'result' in found) return refusalOf(found)
      if (!found) return { result: 'refused', problem: 'The peer takes no answers to disputes' }
      const { answer: verb, reference } = given
      const path = `/disputes/${encodeURIComponent(found.id)}/${verb}`
      const answer = await send({ method: 'POST', path, body: bodyOf(given) }, credentials, reference)
      if ('result' in answer) return answer
      const refusal = peerRefusal(answer)
      if (refusal) return refusal
      switch (answer.status) {
        case 200: {
          const after = expectDispute(peerBody(answer))
          if (after.id !== found.id || after.isPending)
            throw new UnknownOutcome('The peer does not know yet whether it is answered')
          return { result: 'answered', state: await stateOf(after, credentials) }
        }
        case 400:
        case 404:
          return { result: 'refused', problem: problemIn(answer) }
        case 429:
          return rateLimited(answer.headers['retry-after'], reading.now())
        default:
          throw new UnknownOutcome(`The peer answers ${answer.status}`)
      }
    },
  }

  /**
   * Notifications of inquiries, which are not in the list of transactions. Each has a stable id, so it is handled once.
   */
  const inquiries = async (credentials: Credentials): Promise<readonly GatewayNotification[]> =>
    (await listed(`stage=inquiry&limit=${MAX_LISTED}`, credentials)).map(({ id }) => ({
      id: `inquiry ${id}`,
      type: 'inquiry',
      about: 'dispute',
      gatewayId: id,
      raw: JSON.stringify({ id, type: 'inquiry' }),
    }))

  return { disputes, inquiries, noticesAbout }
}

/** Outcome of an answer to a dispute that was not sent, because the dispute could not be read. */
function refusalOf(outcome: ReturnType<typeof notSent>): DisputeOutcome {
  return outcome.result === 'not_sent' || outcome.result === 'misconfigured'
    ? outcome
    : { result: 'refused', problem: outcome.result }
}

function bodyOf({ answer, text, files }: DisputeAnswer): Input {
  if (answer === 'accept') return {}
  const sent = files.map(({ name, mediaType, content, as }) => ({
    name,
    content: writeDataUrl({ name, bytes: Buffer.from(content) }, mediaType),
    ...(as !== undefined && { as }),
  }))
  return { files: sent, ...(text !== undefined && { text }) }
}

/** Reads a dispute. Throws `UnknownOutcome` if the value is no valid dispute. */
function expectDispute(value: unknown): PeerDispute {
  const tree = isTree(value) ? value : {}
  const {
    id,
    transaction_id: payment,
    chargeback_id: chargeback,
    reversal_id: reversal,
    due_by: dueBy,
  } = tree
  const stage = STAGES.find((each) => each === tree.stage)
  const amount = amountIn(tree.amount)
  if (!isDisputeId(id) || !isTransactionId(payment) || stage === undefined || amount === undefined)
    throw new UnknownOutcome('The peer answers no dispute in a known stage')
  return {
    id,
    payment,
    chargeback: isTransactionId(chargeback) ? chargeback : undefined,
    reversal: isTransactionId(reversal) ? reversal : undefined,
    isPending: typeof tree.pending_operation === 'string',
    state: {
      stage,
      amount,
      reason: typeof tree.reason === 'string' ? tree.reason : null,
      dueBy: isDatetime(dueBy) ? dueBy : null,
      isAnswered: tree.answer === 'contest',
    },
  }
}
