import type { Core } from '../../../engine/core/core.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { OperatorRow } from '../../../engine/store/database/tables.js'
import type { Random } from '../../../platform/random.js'
import { resources } from '../../../resources/resource-table.js'
import { isStorable } from '../../../schema/read.js'
import {
  addAttempt,
  attemptHash,
  type Bound,
  countedAttempts,
  forgetAttempts,
  HOUR,
} from '../../attempts/attempts.js'
import { expectSealed } from '../seals/not-as-sealed.js'
import { browserNameOf, knownBrowserOf } from '../users/known-browser.js'
import { isPassword } from '../users/password.js'
import {
  beginSession,
  byOperator,
  confirmSession,
  heldSession,
  type SessionClient,
} from './operator-session.js'
import { takeCode } from './second-factor.js'

/** Limit of wrong proofs in a row for an e-mail address, from one network address or one known browser. */
const FROM_ONE: Bound = { most: 5, lifetime: 15 * 60_000 }
/**
 * Limit of wrong proofs for an e-mail address from all unknown browsers together. Known browsers are counted apart,
 * so strangers cannot lock an operator out of them.
 */
const FROM_STRANGERS: Bound = { most: 100, lifetime: HOUR }

/** Credentials that a browser sends to sign an operator in. */
export interface OperatorAttempt extends SessionClient {
  readonly email: string
  readonly password: string
  /** Code from the operator's authenticator app; empty if none was typed. */
  readonly code: string
  /** The cookie that recognizes a browser in which the operator signed in before; empty if there is none. */
  readonly knownBrowser: string
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
 * without a second factor is refused. The password is checked outside any unit of work, as that takes about a tenth
 * of a second.
 */
export async function signInOperator(
  core: Core,
  attempt: OperatorAttempt,
  isStrict: boolean,
  random: Random,
): Promise<SignInOutcome> {
  const operator = await core.read((work) => operatorByEmail(work, attempt.email))
  const isRight = await isPassword(attempt.password, operator?.password_hash)
  return await core.write(async (work) => {
    const counters = signInCounters(work, attempt, operator)
    const proven = await counted(work, counters, async () => {
      const row = operator && isRight ? await lockUnchanged(work, operator) : undefined
      if (row?.has_second_factor !== 1) return row
      return (await takeCode(work, row, attempt.code)) ? row : undefined
    })
    if (!proven) return { kind: 'refused' }
    const hasSecond = proven.has_second_factor === 1
    if (isStrict && !hasSecond) return { kind: 'needs_second_factor' }
    const proof = hasSecond ? 'second_factor' : 'password'
    const session = await beginSession(work, proven, { ...attempt, proof }, random)
    return { kind: 'signed_in', session, knownBrowser: knownBrowserOf(work, proven) }
  }, operator && byOperator(operator))
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
      const row = isRight ? await lockUnchanged(work, held.operator) : undefined
      if (!row || (needsCode && !(await takeCode(work, row, code)))) return undefined
      return await heldSession(work, cookie)
    })
    return session && (await confirmSession(work, session, random))
  }, byOperator(held.operator))
}

/** Finds an operator by e-mail address. Throws `NotAsSealed`. */
async function operatorByEmail(work: Work, email: string): Promise<OperatorRow | undefined> {
  if (!isStorable(email)) return undefined
  const [operator] = await work.findBy(resources.operator, 'email', email.trim().toLowerCase())
  if (operator) await expectSealed(work, 'admin_operators', operator)
  return operator
}

/** The row of an active operator whose password is still the one that was checked. Throws `NotAsSealed`. */
async function lockUnchanged(work: Work, checked: OperatorRow): Promise<OperatorRow | undefined> {
  const row = await work.lock(resources.operator, checked.id)
  if (row?.status !== 'active' || row.password_hash !== checked.password_hash) return undefined
  await expectSealed(work, 'admin_operators', row)
  return row
}

interface Counter {
  readonly subject: string
  readonly bound: Bound
}

/**
 * Counters of an attempt, with their bounds. They use the e-mail address as typed, so that attempts for unknown
 * operators take the same time. The password's hash is part of each subject, so a new password starts new counters.
 */
function signInCounters(
  work: Work,
  { email, address, knownBrowser }: OperatorAttempt,
  operator: OperatorRow | undefined,
): readonly Counter[] {
  const browser = operator && browserNameOf(work, operator, knownBrowser)
  const from = (...where: readonly string[]) =>
    attemptHash(work, 'operator', email.trim().toLowerCase(), operator?.password_hash ?? null, ...where)
  if (browser !== undefined) return [{ subject: from('browser', browser), bound: FROM_ONE }]
  return [
    { subject: from('address', address), bound: FROM_ONE },
    { subject: from('strangers'), bound: FROM_STRANGERS },
  ]
}

/**
 * Runs `prove`. A wrong proof is counted, and the result is undefined. After too many wrong proofs a right one is
 * refused, too, because guessing could otherwise continue.
 */
async function counted<T>(
  work: Work,
  counters: readonly Counter[],
  prove: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const known = []
  for (const { subject, bound } of counters) {
    const before = await countedAttempts(work, subject)
    if (before.length >= bound.most) return undefined
    known.push(before.length)
  }
  const proven = await prove()
  const [own] = counters
  if (proven !== undefined) {
    if (own && known[0] !== 0) await forgetAttempts(work, own.subject)
    return proven
  }
  for (const { subject, bound } of counters)
    await addAttempt(work, { purpose: 'sign_in', subject, what: '' }, bound.lifetime)
  return undefined
}
