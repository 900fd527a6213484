import type { Work } from '../../engine/core/write/work.js'
import { waitForName } from '../../engine/store/database/differences.js'
import { insertRows } from '../../engine/store/database/insert-rows.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { AttemptRow } from '../../engine/store/database/tables.js'

/** Limit on the number of attempts in a period. */
export interface Bound {
  readonly most: number
  /** Milliseconds for which an attempt counts. */
  readonly lifetime: number
}

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

const PURPOSE = 'attempt'
const COLUMNS = ['id', 'purpose', 'subject', 'what', 'until'] as const

/** Keyed hash under which the subject of attempts, or a value that was tried, is stored. */
export function attemptHash({ vault }: Work, ...parts: readonly (string | null)[]): string {
  return vault.hash(JSON.stringify(parts), PURPOSE)
}

/**
 * The attempts of a subject that count now, the oldest first. On PostgreSQL no other unit of work counts the subject
 * until this one ends.
 */
export async function countedAttempts(work: Work, subject: string): Promise<readonly AttemptRow[]> {
  await waitForName(work.tx, `attempts ${subject}`)
  return await attemptsOf(work, subject)
}

/** The attempts of a subject that count now, without waiting for another unit of work. */
export async function attemptsOf(
  { tx, realMilliseconds: now }: Work,
  subject: string,
): Promise<readonly AttemptRow[]> {
  return await tx.run(countedOf, { subject, now })
}

/** Stores an attempt of a subject. It counts for `lifetime` milliseconds from now. */
export async function addAttempt(
  work: Work,
  attempt: Pick<AttemptRow, 'purpose' | 'subject' | 'what'>,
  lifetime: number,
): Promise<void> {
  const { purpose, subject, what } = attempt
  const until = work.realMilliseconds + lifetime
  await insertRows(work.tx, 'attempts', COLUMNS, [{ id: work.newId(''), purpose, subject, what, until }])
}

/** Deletes all attempts of a subject. */
export async function forgetAttempts({ tx }: Work, subject: string): Promise<void> {
  await tx.change(deleteOf, { subject })
}

/**
 * Stores for a day that attempts were refused, so that operators can see it. Returns whether it is the first such
 * refusal within an hour. `subject` and `what` are stored as plain ids.
 */
export async function noteRefusal(
  work: Work,
  { purpose, subject, what }: Pick<AttemptRow, 'purpose' | 'subject' | 'what'>,
): Promise<boolean> {
  const hourAgo = work.realMilliseconds + DAY - HOUR
  const known = await countedAttempts(work, subject)
  const isNoted = known.some((each) => each.purpose === purpose && each.what === what && each.until > hourAgo)
  if (!isNoted) await addAttempt(work, { purpose, subject, what }, DAY)
  return !isNoted
}

/**
 * Seconds until fewer than `most` attempts count, or an hour if `most` is below 1. `attempts` are ordered by their
 * end.
 */
export function secondsToWait(work: Work, attempts: readonly AttemptRow[], most: number): number {
  const ending = attempts[attempts.length - most]
  const until = ending?.until ?? work.realMilliseconds + HOUR
  return Math.max(1, Math.ceil((until - work.realMilliseconds) / 1000))
}

const countedOf = prepared<{ subject: string; now: number }, AttemptRow>((db, param) =>
  db
    .selectFrom('attempts')
    .selectAll()
    .where('subject', '=', param('subject'))
    .where('until', '>', param('now'))
    .orderBy('until')
    .orderBy('id'),
)

const deleteOf = prepared<{ subject: string }, unknown>((db, param) =>
  db.deleteFrom('attempts').where('subject', '=', param('subject')),
)
