import type { Core, SystemWrite } from '../../../engine/core/core.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { Row } from '../../../schema/columns.js'
import { isStorable } from '../../../schema/read.js'
import {
  addAttempt,
  attemptHash,
  type Bound,
  countedAttempts,
  forgetAttempts,
} from '../../attempts/attempts.js'
import { expectSealed } from '../seals/not-as-sealed.js'
import { browserNameOf } from './known-browser.js'
import { isPassword } from './password.js'

/** Limit of wrong proofs in a row for a person, from one network address or one known browser. */
export const FROM_ONE: Bound = { most: 5, lifetime: 15 * 60_000 }

/** A row of somebody who can sign in. */
type Person = Row & { readonly id: string; readonly password_hash: string | null }

/** Credentials that a browser sends to sign somebody in. */
export interface SignInAttempt {
  readonly email: string
  readonly password: string
  /** Network address of the caller, or the network that this address belongs to. */
  readonly address: string
  /** The cookie that recognizes a browser in which the person signed in before; empty if there is none. */
  readonly knownBrowser: string
}

/**
 * Rules by which people of one kind sign in. Each kind has a policy and a table of its own, so nobody signs in with the
 * proofs of another kind.
 */
export interface SignInPolicy<P extends Person> {
  /** Name of the table in seals. */
  readonly table: string
  /** Finds the person with an e-mail address in small letters. */
  find(work: Work, email: string): Promise<P | undefined>
  /** Locks the row of a person; undefined if they may no longer sign in. */
  lock(work: Work, id: string): Promise<P | undefined>
  /** Key under which wrong proofs are counted; undefined if they are not counted. */
  subject(email: string, person: P | undefined): readonly (string | null)[] | undefined
  /** Limit of wrong proofs for a person from all unknown browsers together; undefined if there is none. */
  readonly fromStrangers: Bound | undefined
  /** The context of writes for a person. */
  by(person: P): SystemWrite | undefined
}

/**
 * Finds the person with an e-mail address and a password, and returns what `prove` returns for them. Undefined if they
 * do not match, if `prove` returns undefined, or after too many wrong proofs from one address or browser. All these
 * refusals look the same. The password is checked outside any unit of work, as that takes about a tenth of a second.
 */
export async function signInBy<P extends Person, T>(
  core: Core,
  policy: SignInPolicy<P>,
  attempt: SignInAttempt,
  prove: (work: Work, person: P) => Promise<T | undefined>,
): Promise<T | undefined> {
  const email = attempt.email.trim().toLowerCase()
  const person = isStorable(email) ? await core.read((work) => policy.find(work, email)) : undefined
  const isRight = await isPassword(attempt.password, person?.password_hash)
  const subject = policy.subject(email, person)
  if (!subject) return undefined
  return await core.write(
    async (work) =>
      await counted(work, countersOf(work, policy, { subject, person, attempt }), async () => {
        const row = person && isRight ? await lockUnchanged(work, policy, person) : undefined
        return row && (await prove(work, row))
      }),
    person && policy.by(person),
  )
}

/** The locked row of a person whose password is still the one that was checked. Throws `NotAsSealed`. */
export async function lockUnchanged<P extends Person>(
  work: Work,
  { lock, table }: SignInPolicy<P>,
  { id, password_hash }: P,
): Promise<P | undefined> {
  const row = await lock(work, id)
  if (row?.password_hash !== password_hash) return undefined
  await expectSealed(work, table, row)
  return row
}

interface Counter {
  readonly subject: string
  readonly bound: Bound
}

/**
 * Counters of an attempt. Wrong proofs are counted by the browser if the person signed in there before, otherwise by
 * the address. Strangers therefore cannot lock a person out of a known browser.
 */
function countersOf<P extends Person>(
  work: Work,
  { fromStrangers }: SignInPolicy<P>,
  {
    subject,
    person,
    attempt: { address, knownBrowser },
  }: {
    readonly subject: readonly (string | null)[]
    readonly person: P | undefined
    readonly attempt: SignInAttempt
  },
): readonly Counter[] {
  const browser = person && browserNameOf(work, person, knownBrowser)
  const from = (...where: readonly string[]) => attemptHash(work, ...subject, ...where)
  if (browser !== undefined) return [{ subject: from('browser', browser), bound: FROM_ONE }]
  const own = { subject: from('address', address), bound: FROM_ONE }
  return fromStrangers ? [own, { subject: from('strangers'), bound: fromStrangers }] : [own]
}

/**
 * Runs `prove`. A wrong proof is counted, and the result is undefined. After too many wrong proofs a right one is
 * refused, too, because guessing could otherwise continue.
 */
export async function counted<T>(
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
