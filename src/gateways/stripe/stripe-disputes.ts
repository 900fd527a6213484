import { Stripe } from 'stripe'
import { datetimeOf } from '../../schema/datetime.js'
import { MAX_EVIDENCE } from '../../schema/evidence.js'
import type {
  Credentials,
  DisputeAnswer,
  DisputeOutcome,
  DisputeStage,
  DisputeState,
  GatewayNotice,
  RailDisputes,
} from '../contract.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { expectAbout, expectMoney, expectObject } from './expect-object.js'
import { preparationRefusal, readingFailure, refusalIn } from './stripe-failure.js'
import { isForeign } from './stripe-foreign.js'

interface Sources {
  readonly clientOf: (credentials: Credentials) => Stripe
}

interface Documented {
  readonly stage: DisputeStage
  /**
   * Money that has moved: none (an inquiry, or a prevented dispute), taken from the merchant, or taken and returned
   * (`won`).
   */
  readonly moved: 'no_money' | 'taken' | 'won'
}

const taken = (stage: DisputeStage): Documented => ({ stage, moved: 'taken' })
const unmoved = (stage: DisputeStage): Documented => ({ stage, moved: 'no_money' })

/**
 * Stage and moved money by Stripe's documented status. Only older versions of the API have `charge_refunded`.
 */
const STATUSES: ReadonlyMap<string, Documented> = new Map([
  ['warning_needs_response', unmoved('inquiry')],
  ['warning_under_review', unmoved('inquiry')],
  ['warning_closed', unmoved('won')],
  ['prevented', unmoved('won')],
  ['needs_response', taken('needs_response')],
  ['under_review', taken('under_review')],
  ['appeal_needs_response', taken('needs_response')],
  ['appeal_under_review', taken('under_review')],
  ['charge_refunded', taken('lost')],
  ['lost', taken('lost')],
  ['won', { stage: 'won', moved: 'won' }],
])

/** Stripe's evidence fields for files. A file that names no field goes to the first one. */
const EVIDENCE = [
  'uncategorized_file',
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge_documentation',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
] as const

/** Maximal bytes that Stripe accepts for all files together. */
const MAX_BYTES = MAX_EVIDENCE

/**
 * Reads and answers disputes at Stripe. An accepted dispute is closed; a contested one gets the uploaded files and a
 * text.
 */
export function stripeDisputes({ clientOf }: Sources): { readonly disputes: RailDisputes } {
  const clientAt = (merchant: string | undefined, credentials: Credentials): Stripe =>
    clientOf(
      merchant === undefined || merchant === credentials.merchant
        ? credentials
        : { ...credentials, merchant },
    )
  return {
    disputes: {
      evidence: EVIDENCE,
      bytesOfFile: MAX_BYTES,
      bytes: MAX_BYTES,
      async read({ dispute, merchant }, credentials) {
        try {
          const notices = await disputeNotices(clientAt(merchant, credentials), dispute)
          return merchant === undefined ? notices : notices.map((notice) => ({ ...notice, merchant }))
        } catch (error) {
          throw readingFailure(error)
        }
      },
      answer: async (answer, credentials) => await answerAt(clientAt(answer.merchant, credentials), answer),
    },
  }
}

/**
 * Notices about a dispute: first of the money that it moved, last of its current state. A won dispute yields a
 * chargeback and its return, even if the chargeback was never reported.
 */
export async function disputeNotices(stripe: Stripe, id: string): Promise<readonly GatewayNotice[]> {
  const dispute = await stripe.disputes.retrieve(id, { expand: ['payment_intent'] })
  return noticesIn(expectAbout(expectObject(dispute, 'dispute'), (read) => read.id === id))
}

function noticesIn(dispute: Stripe.Dispute): readonly GatewayNotice[] {
  const { id, amount, network_reason_code: code } = dispute
  const { moved } = documented(dispute)
  const state = stateOf(dispute)
  if (!state) return []
  if (moved === 'no_money' || isLostInquiry(dispute)) return [state]
  const isReturn = isReturnCode(code)
  const { payment } = state
  const statusCode = isReturn ? code : 'chargeback'
  const money = { dispute: id, payment, hasReference: hasReference(dispute), amount, statusCode }
  const first: GatewayNotice = { kind: isReturn ? 'return' : 'chargeback', ...money }
  return moved === 'won'
    ? [first, { kind: 'dispute_won', ...money, statusCode: 'chargeback' }, state]
    : [first, state]
}

/** Whether a dispute was lost without moving money, such as an accepted inquiry. */
function isLostInquiry({ status, balance_transactions: moved }: Partial<Stripe.Dispute>): boolean {
  return status === 'lost' && moved?.length === 0
}

/** Stage and moved money of a dispute. Throws `UnknownOutcome` for a status that Stripe does not document. */
function documented({ id, status }: Stripe.Dispute): Documented {
  const known = STATUSES.get(status)
  if (known === undefined) throw new UnknownOutcome(`The dispute ${id} is ${status}`)
  return known
}

/**
 * State of a dispute; undefined if payctl did not make its payment. A bank return counts as lost at once, unless it was
 * won.
 */
function stateOf(dispute: Stripe.Dispute): DisputeState | undefined {
  const { id, amount, reason, payment_intent: intent, network_reason_code: code } = dispute
  if (typeof intent === 'object' && intent && isForeign(intent)) return undefined
  expectMoney(dispute)
  const payment = typeof intent === 'object' ? (intent?.metadata['reference'] ?? intent?.id) : intent
  if (!payment) return undefined
  const { stage } = documented(dispute)
  const isReturn = isReturnCode(code)
  const { fee, dueBy, isSubmitted } = factsOf(dispute)
  return {
    kind: 'dispute',
    dispute: id,
    payment,
    amount,
    stage: isReturn && stage !== 'won' ? 'lost' : stage,
    reason: isReturn ? code : reason,
    fee,
    dueBy,
    isAnswered:
      dispute.status.endsWith('under_review') || (isSubmitted && (stage === 'won' || stage === 'lost')),
  }
}

/**
 * Facts that bookkeeping does not need: fee, deadline, and whether evidence was submitted. Stripe's answer may lack
 * them.
 */
function factsOf({ balance_transactions: moved, evidence_details: details }: Partial<Stripe.Dispute>) {
  const fees = moved?.map(({ fee }) => fee) ?? []
  const { due_by: dueBy, submission_count: submitted = 0 } = details ?? {}
  return {
    fee: fees.length === 0 ? null : fees.reduce((sum, fee) => sum + fee, 0),
    // Stripe answers 0 if the bank accepts no evidence.
    dueBy: dueBy ? datetimeOf(dueBy * 1000) : null,
    isSubmitted: submitted > 0,
  }
}

function hasReference({ payment_intent: intent }: Stripe.Dispute): boolean {
  return typeof intent === 'object' && intent?.metadata['reference'] !== undefined
}

function isReturnCode(code: string | null | undefined): code is string {
  return /^R\d\d$/.test(code ?? '')
}

async function answerAt(stripe: Stripe, answer: DisputeAnswer): Promise<DisputeOutcome> {
  const { dispute: id, reference } = answer
  let evidence: Stripe.DisputeUpdateParams.Evidence
  try {
    evidence = await uploaded(stripe, answer)
  } catch (error) {
    // No evidence was submitted so far.
    const refusal = refusedIn(error) ?? preparationRefusal(error)
    return refusal.result === 'declined' ? { result: 'refused', problem: refusal.code ?? '' } : refusal
  }
  try {
    const expand = ['payment_intent']
    const key = { idempotencyKey: reference }
    const answered =
      answer.answer === 'accept'
        ? await stripe.disputes.close(id, { expand }, key)
        : await stripe.disputes.update(id, { evidence, submit: true, expand }, key)
    const state = stateOf(expectAbout(expectObject(answered, 'dispute'), (read) => read.id === id))
    if (!state) throw new UnknownOutcome(`The dispute ${id} names no payment of ours`)
    return { result: 'answered', state }
  } catch (error) {
    const refusal = refusedIn(error) ?? refusalIn(error)
    return refusal.result === 'declined' ? { result: 'refused', problem: refusal.code ?? '' } : refusal
  }
}

/** Outcome `refused` if Stripe refuses only this answer; undefined for other errors. */
function refusedIn(error: unknown): { readonly result: 'refused'; readonly problem: string } | undefined {
  if (!(error instanceof Stripe.errors.StripeError)) return undefined
  const { rawType, statusCode, message } = error
  const isRefused = rawType === 'invalid_request_error' && (statusCode === 400 || statusCode === 404)
  return isRefused ? { result: 'refused', problem: message } : undefined
}

/**
 * Uploads the files of an answer, and returns the evidence that names them. Each file has an idempotency key, so a
 * repeated upload makes no second file.
 */
async function uploaded(
  stripe: Stripe,
  { reference, text, files }: DisputeAnswer,
): Promise<Stripe.DisputeUpdateParams.Evidence> {
  const evidence: Record<string, string> = {}
  for (const [index, { name, mediaType, content, as = EVIDENCE[0] }] of files.entries()) {
    const file = await stripe.files.create(
      { purpose: 'dispute_evidence', file: { data: content, name, type: mediaType } },
      { idempotencyKey: `${reference}-file-${index}` },
    )
    evidence[as] = expectObject(file, 'file').id
  }
  return { ...evidence, ...(text !== undefined && { uncategorized_text: text }) }
}
