import type { Core } from '../../../engine/core/core.js'
import type { Random } from '../../../platform/random.js'
import { resources } from '../../../resources/resource-table.js'
import { hashPassword, MIN_PASSWORD, normal } from '../sign-in/password.js'
import {
  beginSession,
  byOperator,
  endSessionsOf,
  heldSession,
  isConfirmed,
  type SessionClient,
} from './operator-session.js'
import { keyColumns, offeredKey, stepOfCode } from './second-factor.js'

/** Password and second factor that an operator chooses. */
export interface ChosenProofs {
  readonly password: string
  /** A one-time code of the secret that the session offers (`offeredKey`); empty to set no second factor. */
  readonly code: string
}

export type SetUpOutcome =
  | { readonly kind: 'set_up'; readonly session: string }
  | { readonly kind: 'short_password' | 'wrong_code' | 'refused' }

/**
 * Sets the password of a session's operator, and the second factor, which is required if `isStrict`. All sessions of
 * the operator end, and a new one begins for the browser.
 */
export async function setUpProofs(
  core: Core,
  cookie: string,
  { password, code, ...client }: ChosenProofs & Omit<SessionClient, 'previous'>,
  isStrict: boolean,
  random: Random,
): Promise<SetUpOutcome> {
  if (normal(password).length < MIN_PASSWORD) return { kind: 'short_password' }
  const found = await core.read((work) => heldSession(work, cookie))
  if (!found) return { kind: 'refused' }
  const passwordHash = await hashPassword(password, random)
  return await core.write(async (work) => {
    await work.lock(resources.operator, found.operator.id)
    const held = await heldSession(work, cookie)
    if (!held || !isConfirmed(held.row, work.realMilliseconds)) return { kind: 'refused' }
    const key = offeredKey(work, cookie)
    const step = stepOfCode(key, code, work.realMilliseconds)
    if (step === undefined && (isStrict || code !== '')) return { kind: 'wrong_code' }
    const { operator } = held
    const changed = await work.change(resources.operator, operator.id, {
      password_hash: passwordHash,
      has_password: 1,
      ...(step !== undefined && keyColumns(work, operator, key, step)),
    })
    await endSessionsOf(work, operator.id)
    const proof = step === undefined ? 'password' : 'second_factor'
    return {
      kind: 'set_up',
      session: await beginSession(work, changed, { ...client, proof, previous: '' }, random),
    }
  }, byOperator(found.operator))
}
