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

/** Ids, codes and tokens that may be stored: printable ASCII, at most 1,000 characters. */
const PLAIN = /^[\x20-\x7e]{1,1000}$/

/** Addresses to which a payer's browser may be sent: HTTPS, or HTTP on this machine. */
const WEB_ADDRESS = /^(https:\/\/|http:\/\/(127\.0\.0\.1|\[::1\]|localhost)[:/])[\x21-\x7e]{1,4000}$/

/** The outcome of an operation, made safe to store. Throws `UnknownOutcome` for an invalid id, amount or address. */
export function plainOutcome(outcome: GatewayOutcome): GatewayOutcome {
  return outcome.result === 'not_sent' || outcome.result === 'misconfigured'
    ? { ...outcome, problem: shortProblem(outcome.problem) }
    : plainAnswer(outcome)
}

/**
 * The outcome of an earlier operation, made safe to store. Throws `UnknownOutcome` for an invalid id, amount or
 * address.
 */
export function plainFound(found: FoundOutcome): FoundOutcome {
  return typeof found === 'string' ? found : plainAnswer(found)
}

/**
 * An outcome made safe to store, whatever the gateway answered. Malformed codes and tokens become null. Throws
 * `UnknownOutcome` for an invalid id or amount, because the books would name an operation that does not exist.
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

/** A notice made safe to store. Throws `UnknownOutcome` for an invalid outcome, id or amount. */
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

/** A dispute's state made safe to store. Throws `UnknownOutcome` for an invalid id, amount or deadline. */
function plainDispute(state: DisputeState): DisputeState {
  const { dispute, payment, amount, fee, reason, dueBy } = state
  expectAmount(amount)
  if (fee !== null && !Number.isSafeInteger(fee)) throw new UnknownOutcome('The fee of a dispute is none')
  if (![dispute, payment].every(isPlain) || (dueBy !== null && !isDatetime(dueBy)))
    throw new UnknownOutcome('The gateway tells of a dispute that cannot be read')
  return { ...state, reason: plainOrNull(reason) }
}

/** The outcome of an answer to a dispute, made safe to store. Throws `UnknownOutcome` for an invalid state. */
export function plainDisputeOutcome(outcome: DisputeOutcome): DisputeOutcome {
  if (outcome.result !== 'answered') return { ...outcome, problem: shortProblem(outcome.problem) }
  return outcome.state ? { ...outcome, state: plainDispute(outcome.state) } : outcome
}

/** A failed payout made safe to store. Throws `UnknownOutcome` for an invalid id or amount. */
function plainFailedPayout(failed: FailedPayout): FailedPayout {
  const { payout, amount, code, message = '' } = failed
  if (!Number.isSafeInteger(amount) || !isPlain(payout) || payout === '')
    throw new UnknownOutcome('The gateway tells of a payout that is none')
  return { ...failed, code: plainOrNull(code) ?? 'failed', message: shortProblem(message) }
}

/**
 * An operation made safe to store. Malformed references are dropped, because others may have made the operation. Throws
 * `UnknownOutcome` for an invalid outcome or amount.
 */
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

/** The result of a check, with its text shortened and card numbers masked. */
export function plainCheck(check: GatewayCheck): GatewayCheck {
  return { ...check, found: shortProblem(check.found) }
}

/** Throws `UnknownOutcome` for a malformed secret, or for an address to which a browser must not be sent. */
function expectAction({ clientSecret, redirect }: ActionOutcome): void {
  if (!isPlain(clientSecret)) throw new UnknownOutcome('The gateway answers a secret that is none')
  if (redirect !== undefined && !WEB_ADDRESS.test(redirect))
    throw new UnknownOutcome('The gateway answers an address that is none')
}

/** A description of a method made safe to store. Malformed facts are omitted. */
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

/** Whether a value is null, undefined, or a text that may be stored. */
function isPlain(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && PLAIN.test(value))
}

function plainOrNull(text: string | null | undefined): string | null {
  return text !== undefined && isPlain(text) ? text : null
}
