import { isDatetime } from '../../schema/datetime.js'
import type {
  ActionOutcome,
  DisputeOutcome,
  DisputeState,
  FoundOperation,
  FoundOutcome,
  GatewayNotice,
  GatewayOutcome,
} from '../contract.js'
import type { GatewayCheck } from '../gateway-check.js'
import type { MethodDescription } from '../payer-fields.js'
import type { FailedPayout } from '../payout.js'
import { shortProblem } from '../short-problem.js'
import { UnknownOutcome } from '../unknown-outcome.js'

/** An id, a code or a token that may be stored: printable, and no longer than any rail's own. */
const PLAIN = /^[\x20-\x7e]{1,1000}$/

/** An address to which browsers may be sent: encrypted, or on this machine. */
const WEB_ADDRESS = /^(https:\/\/|http:\/\/(127\.0\.0\.1|\[::1\]|localhost)[:/])[\x21-\x7e]{1,4000}$/

/** The outcome of an operation as it may be stored. Throws `UnknownOutcome`. */
export function plainOutcome(outcome: GatewayOutcome): GatewayOutcome {
  return outcome.result === 'not_sent' || outcome.result === 'misconfigured'
    ? { ...outcome, problem: shortProblem(outcome.problem) }
    : plainAnswer(outcome)
}

/** The outcome of an earlier operation as it may be stored. Throws `UnknownOutcome`. */
export function plainFound(found: FoundOutcome): FoundOutcome {
  return typeof found === 'string' ? found : plainAnswer(found)
}

/**
 * An outcome as it may be stored, whatever the rail has read. Codes and tokens in an odd shape are left out. Throws
 * `UnknownOutcome` for an id or an amount that is none: the books would name an operation that is not there.
 */
function plainAnswer(outcome: Exclude<FoundOutcome, string>): Exclude<FoundOutcome, string> {
  const { gatewayId, code } = outcome
  if (!isPlain(gatewayId)) throw new UnknownOutcome('The gateway answers an id that is none')
  if (outcome.result === 'action') expectAction(outcome)
  if (outcome.result !== 'approved') return isPlain(code) ? outcome : { ...outcome, code: null }
  const { amount, authCode, networkId, token, method } = outcome
  expectAmount(amount)
  const isAsReported = isPlainDescription(method)
  if (isAsReported && [code, authCode, networkId, token].every(isPlain)) return outcome
  return {
    ...outcome,
    ...(!isAsReported && { method: plainDescription(method) ?? {} }),
    code: plainOrNull(code),
    authCode: plainOrNull(authCode),
    networkId: plainOrNull(networkId),
    token: plainOrNull(token),
  }
}

/** A notice as it may be stored. Throws `UnknownOutcome` where its outcome, its subject or its amount is none. */
export function plainNotice(notice: GatewayNotice): GatewayNotice {
  if (notice.kind === 'operation') return plainOperation(notice)
  if (notice.kind === 'dispute') return plainDispute(notice)
  if (notice.kind === 'payout_failed') return plainFailedPayout(notice)
  expectAmount(notice.amount)
  const { dispute, payment, statusCode } = notice
  if (![dispute, payment, statusCode].every(isPlain))
    throw new UnknownOutcome('The gateway tells of a dispute whose ids are none')
  return notice
}

/** A dispute as it may be stored. Throws `UnknownOutcome` where its ids, its amounts or its deadline are none. */
function plainDispute(state: DisputeState): DisputeState {
  const { dispute, payment, amount, fee, reason, dueBy } = state
  expectAmount(amount)
  if (fee !== null && !Number.isSafeInteger(fee)) throw new UnknownOutcome('The fee of a dispute is none')
  if (![dispute, payment].every(isPlain) || (dueBy !== null && !isDatetime(dueBy)))
    throw new UnknownOutcome('The gateway tells of a dispute that cannot be read')
  return { ...state, reason: plainOrNull(reason) }
}

/** The outcome of an answer to a dispute as it may be stored. Throws `UnknownOutcome`. */
export function plainDisputeOutcome(outcome: DisputeOutcome): DisputeOutcome {
  if (outcome.result !== 'answered') return { ...outcome, problem: shortProblem(outcome.problem) }
  return outcome.state ? { ...outcome, state: plainDispute(outcome.state) } : outcome
}

/** A failed payout as it may be stored. Throws `UnknownOutcome` where its id or its amount is none. */
function plainFailedPayout(failed: FailedPayout): FailedPayout {
  const { payout, amount, code, message = '' } = failed
  if (!Number.isSafeInteger(amount) || !isPlain(payout) || payout === '')
    throw new UnknownOutcome('The gateway tells of a payout that is none')
  return { ...failed, code: plainOrNull(code) ?? 'failed', message: shortProblem(message) }
}

/** An operation as it may be stored. Others may have made it, with a reference and a payment of their own. */
export function plainOperation(found: FoundOperation): FoundOperation {
  const { reference, parent, outcome, amount } = found
  expectAmount(amount)
  return {
    ...found,
    outcome: plainFound(outcome),
    reference: plainOrNull(reference) ?? undefined,
    parent: plainOrNull(parent) ?? undefined,
  }
}

/** The result of a check as it may be stored. */
export function plainCheck(check: GatewayCheck): GatewayCheck {
  return { ...check, found: shortProblem(check.found) }
}

/** Throws `UnknownOutcome` for a secret or an address that no browser of a payer may be given. */
function expectAction({ clientSecret, redirect }: ActionOutcome): void {
  if (!isPlain(clientSecret)) throw new UnknownOutcome('The gateway answers a secret that is none')
  if (redirect !== undefined && !WEB_ADDRESS.test(redirect))
    throw new UnknownOutcome('The gateway answers an address that is none')
}

/** A description of a method as it may be stored: what has another shape is left out. */
export function plainDescription(described: MethodDescription | undefined): MethodDescription | undefined {
  if (described === undefined || isPlainDescription(described)) return described
  const { lastFour, expiry, fingerprint, ...known } = described
  return {
    ...known,
    ...(isLastFour(lastFour) && { lastFour }),
    ...(isExpiry(expiry) && { expiry }),
    ...(isPlain(fingerprint) && { fingerprint }),
  }
}

function isPlainDescription({ lastFour, expiry, fingerprint }: MethodDescription = {}): boolean {
  return isLastFour(lastFour) && isExpiry(expiry) && isPlain(fingerprint)
}

function isLastFour(text: string | undefined): boolean {
  return text === undefined || /^\d{4}$/.test(text)
}

function isExpiry(text: string | undefined): boolean {
  return text === undefined || /^(0[1-9]|1[0-2])\/\d\d$/.test(text)
}

function expectAmount(amount: number): void {
  if (!Number.isSafeInteger(amount) || amount < 0)
    throw new UnknownOutcome('The gateway answers an amount that is none')
}

/** Whether a text may be stored, as one that is missing may. */
function isPlain(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && PLAIN.test(value))
}

function plainOrNull(text: string | null | undefined): string | null {
  return text !== undefined && isPlain(text) ? text : null
}
