import type { Core } from '../../../engine/core/core.js'
import type { OperatorRow } from '../../../engine/store/database/tables.js'
import type { Random } from '../../../platform/random.js'
import { resources } from '../../../resources/resource-table.js'
import { attemptHash, HOUR } from '../../attempts/attempts.js'
import { expectSealed } from '../seals/not-as-sealed.js'
import { knownBrowserOf } from '../sign-in/known-browser.js'
import { isPassword } from '../sign-in/password.js'
import {
  counted,
  FROM_ONE,
  lockUnchanged,
  type SignInAttempt,
  type SignInPolicy,
  signInBy,
} from '../sign-in/sign-in.js'
import {
  beginSession,
  byOperator,
  confirmSession,
  heldSession,
  type SessionClient,
} from './operator-session.js'
import { takeCode } from './second-factor.js'

const TABLE = 'admin_operators'

/**
 * The sign-in of operators. Wrong proofs are counted under the e-mail address as typed, so that attempts for unknown
 * operators take the same time. The password's hash is part of the subject, so a new password starts new counters.
 */
const OPERATORS: SignInPolicy<OperatorRow> = {
  table: TABLE,
  async find(work, email) {
    const [operator] = await work.findBy(resources.operator, 'email', email)
    if (operator) await expectSealed(work, TABLE, operator)
    return operator
  },
  async lock(work, id) {
    const operator = await work.lock(resources.operator, id)
    return operator?.status === 'active' ? operator : undefined
  },
  subject: (email, operator) => ['operator', email, operator?.password_hash ?? null],
  // Known browsers are counted apart, so strangers cannot lock an operator out of them.
  fromStrangers: { most: 100, lifetime: HOUR },
  by: byOperator,
}

/** Credentials that a browser sends to sign an operator in. */
export interface OperatorAttempt extends SignInAttempt, SessionClient {
  /** Code from the operator's authenticator app; empty if none was typed. */
  readonly code: string
}

/**
 * Outcome of an attempt. All refusals look the same, except `needs_second_factor`, which follows only the right
 * password.
 */
export type SignInOutcome =
  | { readonly kind: 'signed_in'; readonly session: string; readonly knownBrowser: string }
  | { readonly kind: 'refused' | 'needs_second_factor' }

/**
 * Signs an operator in by password, and by a one-time code if they have a second factor. If `isStrict`, an operator
 * without a second factor is refused.
 */
export async function signInOperator(
  core: Core,
  attempt: OperatorAttempt,
  isStrict: boolean,
  random: Random,
): Promise<SignInOutcome> {
  const outcome = await signInBy<OperatorRow, SignInOutcome>(core, OPERATORS, attempt, async (work, row) => {
    const hasSecond = row.has_second_factor === 1
    if (hasSecond && !(await takeCode(work, row, attempt.code))) return undefined
    if (isStrict && !hasSecond) return { kind: 'needs_second_factor' }
    const proof = hasSecond ? 'second_factor' : 'password'
    const session = await beginSession(work, row, { ...attempt, proof }, random)
    return { kind: 'signed_in', session, knownBrowser: knownBrowserOf(work, row) }
  })
  return outcome ?? { kind: 'refused' }
}

/**
 * Proof that a signed-in operator gives again: a one-time code if they have a second factor, otherwise the password.
 */
export interface RepeatedProof {
  readonly password: string
  readonly code: string
}

/**
 * Checks a repeated proof of a signed-in operator. Returns the new cookie of the session; undefined if the proof is
 * wrong.
 */
export async function confirmOperator(
  core: Core,
  cookie: string,
  { password, code }: RepeatedProof,
  random: Random,
): Promise<string | undefined> {
  const held = await core.read((work) => heldSession(work, cookie))
  if (!held) return undefined
  const needsCode = held.operator.has_second_factor === 1
  const isRight = needsCode || (await isPassword(password, held.operator.password_hash))
  return await core.write(async (work) => {
    const subject = attemptHash(work, 'operator_confirmation', held.row.id)
    const session = await counted(work, [{ subject, bound: FROM_ONE }], async () => {
      const row = isRight ? await lockUnchanged(work, OPERATORS, held.operator) : undefined
      if (!row || (needsCode && !(await takeCode(work, row, code)))) return undefined
      return await heldSession(work, cookie)
    })
    return session && (await confirmSession(work, session, random))
  }, byOperator(held.operator))
}
