import type { Action, ActionOutcome, Answer, FormPath } from '../frames/frame-message.js'
import { randomHex } from '../frames/random-hex.js'
import { texts } from './controller-data.js'
import { type ServiceAnswer, send } from './send-request.js'

/** The shop's page, as attempts use it. */
export interface AttemptHost {
  /** Lets the page keep an idempotency key, before anything is sent under it. */
  keep(id: string): Promise<void>
  /** Lets the page show the step by which the payer authenticates. */
  act(action: Action): Promise<ActionOutcome>
}

interface Attempt {
  /** The idempotency key. */
  readonly id: string
  /** Requests that were sent under it. */
  readonly texts: Set<string>
  /** The answer, once it succeeded. */
  answer?: Answer
}

/**
 * The last attempt that was not refused. The shop's page keeps its key over a reload, as browsers may not store it for
 * frames of other sites.
 */
let last: Attempt | undefined

/** An attempt, under the key that the page has kept if there is one. */
function newAttempt(kept?: string): Attempt {
  return { id: kept !== undefined && /^[0-9a-f]{32}$/.test(kept) ? kept : randomHex(), texts: new Set() }
}

/** Sends a request under one idempotency key until it is refused. The same request after a success is the same payment. */
export async function attempt(
  host: AttemptHost,
  path: FormPath,
  text: string,
  kept: string | undefined,
): Promise<Answer> {
  if (last?.answer && last.texts.has(text)) return { ...last.answer, isRepeated: true }
  let current = presentAttempt(kept)
  for (;;) {
    last = current
    const { answer, isEarlier } = await sendUnder(current, host, path, text)
    if (answer.isOpen) return answer
    if (!answer.error) {
      current.answer = answer
      return answer
    }
    last = undefined
    if (answer.error.error_type === 'IdempotencyMismatch')
      return {
        isRefused: true,
        error: { error_type: 'IdempotencyMismatch', error_description: texts.sentBefore },
      }
    if (!isEarlier) return { ...answer, isRefused: true }
    current = newAttempt()
  }
}

/** The attempt that is under way. Other values after a success are another payment. */
function presentAttempt(kept: string | undefined): Attempt {
  if (last === undefined) return newAttempt(kept)
  return last.answer ? newAttempt() : last
}

/** Sends a request under the key of an attempt, and lets the payer authenticate if that is needed. */
async function sendUnder(current: Attempt, host: AttemptHost, path: FormPath, text: string) {
  await host.keep(current.id)
  const { answer, isEarlier } = await sendOrRepeat(path, current, text)
  return { answer: answer.action ? await confirmed(host, answer, answer.action) : answer, isEarlier }
}

/** Sends a request; if an earlier one with other values has arrived under its key, the outcome of that one decides. */
async function sendOrRepeat(path: FormPath, { id, texts: sent }: Attempt, text: string) {
  let answer = await send(path, id, text)
  let isEarlier = false
  for (const earlier of sent) {
    if (answer.error?.error_type !== 'IdempotencyMismatch') break
    answer = await send(path, id, earlier)
    isEarlier = true
  }
  sent.add(text)
  return { answer, isEarlier }
}

/** Lets the payer authenticate; the answer is the outcome that this service has found. */
async function confirmed(
  host: AttemptHost,
  { object }: ServiceAnswer,
  action: Action,
): Promise<ServiceAnswer> {
  const { event, transaction_id, status_code, message = '' } = await host.act(action)
  if (event === 'error')
    return {
      isOpen: true,
      error: { error_type: 'ServiceUnavailable', error_description: message || texts.unknown },
    }
  if (event === 'created') return { object: { ...object } }
  if (event !== 'declined') return { object: { ...object, status: event, status_code: 'approved' } }
  const details = { ...object, status: 'declined', status_code, status_message: message }
  const isPayment = transaction_id !== undefined
  return {
    error: isPayment
      ? { error_type: 'TransactionDeclined', error_description: message, details }
      : {
          error_type: 'InvalidAttributes',
          error_description: message,
          details: { gateway_token: message },
        },
  }
}
