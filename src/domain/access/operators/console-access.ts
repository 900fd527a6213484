import type { Core } from '../../../engine/core/core.js'
import type { Principal } from '../../../engine/core/request/principal.js'
import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { Random } from '../../../platform/random.js'
import { resources } from '../../../resources/resource-table.js'
import { millisecondsOf } from '../../../schema/datetime.js'
import { expectSealed, RefusalReports } from '../seals/not-as-sealed.js'
import { enterByCode, operatorOfCode } from './entry.js'
import { principalOfOperator } from './operator-principal.js'
import {
  beginSession,
  byOperator,
  endSession,
  type HeldSession,
  heldSession,
  isConfirmed,
  isUnseen,
  noteUse,
  type Proof,
  type SessionClient,
} from './operator-session.js'
import {
  confirmOperator,
  type OperatorAttempt,
  type RepeatedProof,
  type SignInOutcome,
  signInOperator,
} from './operator-sign-in.js'
import { operatorZone } from './operator-zone.js'
import { keyAddress, offeredKey } from './second-factor.js'
import { type ChosenProofs, type SetUpOutcome, setUpProofs } from './set-up.js'

/** An operator who is signed in to the console. */
export interface SignedInOperator {
  readonly principal: Principal
  readonly name: string
  readonly email: string
  readonly zone: string
  readonly hasSecondFactor: boolean
  readonly session: {
    readonly id: string
    readonly proof: Proof
    /** Milliseconds since 1970 of the last proof, and whether it is recent enough for dangerous changes. */
    readonly confirmedAt: number
    readonly isConfirmed: boolean
  }
}

/** Secret for one-time codes that a session offers, as text for people and as an address for authenticator apps. */
export interface OfferedKey {
  readonly key: string
  readonly address: string
}

/**
 * Sign-in and sessions of operators in the console of one environment, without its pages. Cookies are those that
 * `beginSession` returns.
 */
export interface ConsoleAccess {
  /** Whether there is an operator. Without one, nobody can make a code or sign in. */
  hasOperators(): Promise<boolean>
  /** Begins a session with an entry code, if the code is valid. */
  enter(code: string, client: SessionClient): Promise<EntryOutcome>
  signIn(attempt: OperatorAttempt, isStrict: boolean): Promise<SignInOutcome>
  /**
   * The operator who is signed in with a cookie; undefined if there is none. Records the use of the session, at most
   * once a minute.
   */
  signedIn(cookie: string): Promise<SignedInOperator | undefined>
  confirm(cookie: string, proof: RepeatedProof): Promise<string | undefined>
  offeredKey(cookie: string, email: string): Promise<OfferedKey>
  setUp(
    cookie: string,
    chosen: ChosenProofs & Omit<SessionClient, 'previous'>,
    isStrict: boolean,
  ): Promise<SetUpOutcome>
  signOut(cookie: string): Promise<void>
}

export type EntryOutcome =
  | { readonly kind: 'entered'; readonly session: string }
  | { readonly kind: 'used' | 'unknown' }

interface ConsoleAccessDependencies {
  readonly core: Core
  readonly random: Random
  /** Receives the reason when a row is refused because it does not match its seal. */
  readonly report: (error: unknown) => void
}

export function consoleAccess({ core, random, report }: ConsoleAccessDependencies): ConsoleAccess {
  const refusals = new RefusalReports(report)
  const held = (cookie: string) => core.read((work) => heldSession(work, cookie))
  return {
    hasOperators: () => hasOperators(core),
    enter: async (code, client) =>
      await refusals.answer(
        async () => {
          const operator = await core.read((work) => operatorOfCode(work, code))
          const by = operator && byOperator(operator)
          return await core.write((work) => enter(work, code, client, random), by)
        },
        { kind: 'unknown' },
      ),
    signIn: async (attempt, isStrict) =>
      await refusals.answer(() => signInOperator(core, attempt, isStrict, random), { kind: 'refused' }),
    signedIn: async (cookie) =>
      await refusals.answer(async () => {
        const found = await core.read(async (work) => {
          const session = await heldSession(work, cookie)
          return session && { session, shown: await shown(work, session) }
        })
        if (found?.shown.isUnseen) await core.write((work) => noteUse(work, cookie))
        return found?.shown.operator
      }, undefined),
    confirm: async (cookie, proof) =>
      await refusals.answer(() => confirmOperator(core, cookie, proof, random), undefined),
    offeredKey: async (cookie, email) =>
      await core.read(async (work) => {
        const key = offeredKey(work, cookie)
        return { key, address: keyAddress(key, email) }
      }),
    setUp: async (cookie, chosen, isStrict) =>
      await refusals.answer(() => setUpProofs(core, cookie, chosen, isStrict, random), { kind: 'refused' }),
    async signOut(cookie) {
      const session = await refusals.answer(() => held(cookie), undefined)
      if (session) await core.write((work) => endSession(work, session), byOperator(session.operator))
    },
  }
}

/** Whether an environment has an operator, even if disabled. */
export async function hasOperators(core: Core): Promise<boolean> {
  return (await core.read((work) => work.tx.run(anyOperator, {}))).length > 0
}

const anyOperator = prepared<object, { id: string }>((db) =>
  db.selectFrom('admin_operators').select('id').where('deleted_at', 'is', null).limit(1),
)

async function enter(work: Work, code: string, client: SessionClient, random: Random): Promise<EntryOutcome> {
  const use = await enterByCode(work, code)
  if (use.kind !== 'entered') return use
  const operator = await work.lock(resources.operator, use.operatorId)
  if (operator?.status !== 'active') return { kind: 'unknown' }
  await expectSealed(work, 'admin_operators', operator)
  return {
    kind: 'entered',
    session: await beginSession(work, operator, { ...client, proof: 'code' }, random),
  }
}

async function shown(work: Work, { row, operator }: HeldSession) {
  const now = work.realMilliseconds
  const signedIn: SignedInOperator = {
    principal: principalOfOperator(operator),
    name: operator.name ?? operator.id,
    email: operator.email ?? '',
    zone: await operatorZone(work),
    hasSecondFactor: operator.has_second_factor === 1,
    session: {
      id: row.id,
      proof: row.proof ?? 'code',
      confirmedAt: row.confirmed_at === null ? 0 : millisecondsOf(row.confirmed_at),
      isConfirmed: isConfirmed(row, now),
    },
  }
  return { operator: signedIn, isUnseen: isUnseen(row, now) }
}
