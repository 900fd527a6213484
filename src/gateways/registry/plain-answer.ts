import type {
  CredentialsCheck,
  FoundOperation,
  FoundOutcome,
  GatewayNotice,
  GatewayOutcome,
} from '../contract.js'
import type { FailedPayout } from '../payout.js'
import { shortProblem } from '../short-problem.js'
import { UnknownOutcome } from '../unknown-outcome.js'

/** An id, a code or a token that may be stored: printable, and no longer than any rail's own. */
const PLAIN = /^[\x20-\x7e]{1,1000}$/

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
  if (outcome.result !== 'approved') return isPlain(code) ? outcome : { ...outcome, code: null }
  const { amount, authCode, networkId, token } = outcome
  expectAmount(amount)
  if ([code, authCode, networkId, token].every(isPlain)) return outcome
  return {
    ...outcome,
    code: plainOrNull(code),
    authCode: plainOrNull(authCode),
    networkId: plainOrNull(networkId),
    token: plainOrNull(token),
  }
}

/** A notice as it may be stored. Throws `UnknownOutcome` where its outcome, its subject or its amount is none. */
export function plainNotice(notice: GatewayNotice): GatewayNotice {
  if (notice.kind === 'operation') return plainOperation(notice)
  if (notice.kind === 'payout_failed') return plainFailedPayout(notice)
  expectAmount(notice.amount)
  const { dispute, payment, statusCode } = notice
  if (![dispute, payment, statusCode].every(isPlain))
    throw new UnknownOutcome('The gateway tells of a dispute whose ids are none')
  return notice
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
export function plainCheck({ ok, found }: CredentialsCheck): CredentialsCheck {
  return { ok, found: shortProblem(found) }
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
