import { type ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Work } from '../../engine/core/write/work.js'
import type { DisputeRow } from '../../engine/store/database/tables.js'
import type {
  DisputeAnswer,
  DisputeOutcome,
  DisputeState,
  EvidenceFile,
  GatewayDisputes,
} from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { datetimeOf } from '../../schema/datetime.js'
import type { Gateways } from '../gateways/gateways.js'
import { noteMisconfigured } from '../gateways/note-problem.js'
import { refusalOf } from '../payments/pending/gateway-answer.js'
import { ANSWERABLE, changeDispute } from './note-dispute.js'
import { paymentOfDispute, recordDisputeState } from './record-stage.js'

/** An answer to a dispute, as a client sends it. */
export interface GivenAnswer extends Pick<DisputeAnswer, 'answer' | 'text'> {
  readonly files: readonly EvidenceFile[]
}

/** Milliseconds after which a dispute is read again from its gateway, if the outcome of an answer is not known. */
const READ_SOON = 60_000

/**
 * Accepts or contests a dispute. The intent is committed first, then the gateway is called and its answer recorded.
 * Throws `InvalidAttributes` if the dispute takes no answer now, or if answers to this gateway cannot be sent from
 * here.
 */
export async function answerDispute(
  work: Work,
  gateways: Gateways,
  id: string,
  given: GivenAnswer,
): Promise<DisputeRow> {
  const row = (await work.lock(resources.dispute, id)) ?? (await work.refresh(resources.dispute, id))
  const refusal = answerRefusal(row, given.answer)
  if (refusal) throw refusal
  const evidence = given.answer === 'contest' ? evidenceOf(given) : null
  const gateway = await gateways.of(work, row)
  if (gateway.kind === 'embedded')
    return await work.asSystem(async () =>
      changeDispute(work, row, { ...answered(work, row, given.answer), evidence }),
    )
  const { disputes, name } = gateway
  if (!disputes)
    throw invalidAttributes({
      gateway: `${name} takes no answers from here: answer at the processor, and record it (payctl disputes add)`,
    })
  refuseTooMuch(disputes, given.files)
  const reference = work.newId('op_')
  const claimed = await work.change(resources.dispute, id, {
    pending_operation: `${given.answer}:${reference}`,
    read_at: datetimeOf(work.milliseconds + READ_SOON),
    evidence,
  })
  const answer: DisputeAnswer = {
    ...given,
    reference,
    dispute: row.reference ?? '',
    merchant: row.gateway_merchant ?? undefined,
  }
  work.afterCommit({
    async perform() {
      const outcome = await outcomeOf(disputes, answer)
      return async (later) =>
        outcome === 'unknown' ? undefined : await recordAnswer(later, id, answer, outcome)
    },
  })
  return claimed
}

/** Reason why a dispute takes no answer now; undefined if it does. */
function answerRefusal(row: DisputeRow, answer: GivenAnswer['answer']): ApiError | undefined {
  const { stage, pending_operation: pending, answered_at: answered } = row
  if (pending !== null)
    return invalidAttributes({ stage: 'An answer is on its way, and its outcome is not known yet' })
  if (!ANSWERABLE.has(stage ?? '')) return invalidAttributes({ stage: `Takes no answer: it is ${stage}` })
  if (answer === 'contest' && answered !== null)
    return invalidAttributes({ stage: 'Evidence was submitted, which can be done once' })
  return undefined
}

/** Throws `InvalidAttributes` for files that the gateway does not accept as evidence. */
function refuseTooMuch(
  { evidence, bytesOfFile, bytes }: GatewayDisputes,
  files: readonly EvidenceFile[],
): void {
  const kinds = new Set<string>()
  let sum = 0
  for (const { name, content, as = evidence[0] } of files) {
    if (as !== undefined && !evidence.includes(as))
      throw invalidAttributes({
        files: `${as} is no kind of evidence: ${evidence.join(', ') || 'there are none'}`,
      })
    if (as !== undefined && kinds.has(as))
      throw invalidAttributes({
        files: `One file alone is ${as}; say what each is (as): ${evidence.join(', ')}`,
      })
    if (as !== undefined) kinds.add(as)
    if (content.length > bytesOfFile)
      throw invalidAttributes({
        files: `${name} has ${megabytes(content.length)} MB; a file of at most ${megabytes(bytesOfFile)} MB is taken`,
      })
    sum += content.length
  }
  if (sum > bytes)
    throw invalidAttributes({
      files: `They have ${megabytes(sum)} MB together; at most ${megabytes(bytes)} MB are taken`,
    })
}

/** Megabytes with one decimal place, rounded up so that what is too large never looks as if it fitted. */
function megabytes(bytes: number): string {
  return (Math.ceil(bytes / 100_000) / 10).toFixed(1)
}

function evidenceOf({ files, text }: GivenAnswer): string {
  return JSON.stringify([...(text === undefined ? [] : ['text']), ...files.map(({ name }) => name)])
}

/** Columns of a dispute after the gateway has taken an answer. They hold until the gateway reports another state. */
function answered(work: Work, { stage }: DisputeRow, answer: GivenAnswer['answer']) {
  const given = { answer, answered_at: work.now } as const
  if (answer === 'accept') return { ...given, stage: 'lost' as const, read_at: null }
  return stage === 'inquiry' ? given : { ...given, stage: 'under_review' as const }
}

async function outcomeOf(
  disputes: GatewayDisputes,
  answer: DisputeAnswer,
): Promise<DisputeOutcome | 'unknown'> {
  try {
    return await disputes.answer(answer)
  } catch {
    return 'unknown'
  }
}

/** Records the gateway's answer. Returns the refusal of the request, if any. */
async function recordAnswer(
  work: Work,
  id: string,
  { answer, reference }: DisputeAnswer,
  outcome: DisputeOutcome,
): Promise<ApiError | undefined> {
  const row = await work.lock(resources.dispute, id)
  if (row?.pending_operation !== `${answer}:${reference}`) return undefined
  if (outcome.result === 'answered') {
    await recordAnswered(work, row, outcome.state)
    // An accepted inquiry may have moved money, so the dispute is read again soon.
    if (outcome.state)
      await work.change(resources.dispute, id, { read_at: datetimeOf(work.milliseconds + READ_SOON) })
    return undefined
  }
  await work.change(resources.dispute, id, { pending_operation: null, evidence: null })
  if (outcome.result === 'refused')
    return invalidAttributes({ dispute: `The gateway does not take it: ${outcome.problem}` })
  if (outcome.result === 'misconfigured') await noteMisconfigured(work, row.gateway, outcome)
  return refusalOf(outcome)
}

/** Records that the gateway has taken the pending answer of a dispute, and the state that it reports. */
async function recordAnswered(work: Work, row: DisputeRow, state: DisputeState | undefined): Promise<void> {
  const answer = row.pending_operation?.startsWith('accept:') ? 'accept' : 'contest'
  await changeDispute(work, row, { pending_operation: null, ...answered(work, row, answer) })
  if (state) await recordDisputeState(work, await paymentOfDispute(work, row), state)
}

/**
 * Decides from the state read at the gateway whether it has received a pending answer. An answer that does not show
 * there counts as not received only if `isLate`: then no request can be on its way any more.
 */
export async function decidePending(
  work: Work,
  id: string,
  state: DisputeState,
  isLate: boolean,
): Promise<void> {
  const row = await work.lock(resources.dispute, id)
  if (!row || row.pending_operation === null) return
  const isAccepting = row.pending_operation.startsWith('accept:')
  const isGiven = isAccepting ? state.stage === 'lost' : state.isAnswered || state.stage === 'under_review'
  if (isGiven) await recordAnswered(work, row, state)
  else if (isLate) await changeDispute(work, row, { pending_operation: null, evidence: null })
}
