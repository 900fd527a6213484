import { ApiError } from '../../engine/core/request/api-error.js'
import type { CountNumbers } from '../../engine/core/write/core-dependencies.js'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import { resources } from '../../resources/resource-table.js'
import {
  addAttempt,
  attemptHash,
  type Bound,
  countedAttempts,
  HOUR,
  noteRefusal,
  secondsToWait,
} from '../attempts/attempts.js'
import { orgOfKey } from './keys/own-org.js'

/** Limit of filters on one kind of masked number, by the keys of one organization. */
const BOUND: NumberBound = { most: 20, lifetime: HOUR, of: 'of an organization' }

/**
 * Limit of filters by all organizations together. A key with `manage` can make any number of organizations and keys,
 * and so avoid the other limit.
 */
const TOGETHER: NumberBound = { most: 100, lifetime: HOUR, of: 'together' }

interface NumberBound extends Bound {
  /** The keys that the limit applies to, in words. */
  readonly of: 'of an organization' | 'together'
}

/**
 * Counts filters on masked numbers, whether or not they match. Each kind of number is counted for the organization of
 * the key, and for all organizations together. A mask hides five digits of an `ssn`, so unlimited filters would find
 * them. Returns an error beyond a limit. See docs/interface.md, "Sensitive data".
 */
export const countNumbers: CountNumbers = async (work, { id: principalId, kind }, numbers) => {
  const holder = kind === 'operator' ? resources.operator : resources.api_key
  const [grant] = await work.tx.run(clientOfGrant, { id: principalId })
  const org = grant ? grant.client_id : await orgOfKey(work, principalId)
  // All requests lock the numbers in the same order, so that no two of them wait for each other.
  for (const number of [...new Set(numbers)].toSorted()) {
    const added = numbers.filter((each) => each === number).length
    const counted = [
      { bound: BOUND, subject: attemptHash(work, 'number_filter', org ?? null, number) },
      { bound: TOGETHER, subject: attemptHash(work, 'number_filters', number) },
    ]
    const refused = await countUpToBounds(work, counted, added)
    if (!refused) continue
    const refusal = { purpose: 'number_guessing', subject: principalId, what: number } as const
    if (await noteRefusal(work, refusal))
      work.emit({
        trigger: 'number_guessing',
        object: grant ? resources.oauth_grant : holder,
        id: principalId,
        value: null,
        processingId: null,
      })
    return refused
  }
  return undefined
}

interface Counted {
  readonly bound: NumberBound
  readonly subject: string
}

/** Adds filters to each counter, unless that exceeds a limit: then none is added, and the error is returned. */
async function countUpToBounds(
  work: Work,
  counted: readonly Counted[],
  added: number,
): Promise<ApiError | undefined> {
  for (const { bound, subject } of counted) {
    const before = await countedAttempts(work, subject)
    if (before.length + added > bound.most)
      return tooMany(bound, secondsToWait(work, before, bound.most - added + 1))
  }
  for (const { bound, subject } of counted)
    for (let tried = 0; tried < added; tried++)
      await addAttempt(work, { purpose: 'number_filter', subject, what: '' }, bound.lifetime)
  return undefined
}

function tooMany({ most, of }: NumberBound, seconds: number): ApiError {
  return new ApiError(
    'TooManyRequests',
    `Too many filters on a masked number: at most ${most} an hour for all keys ${of}`,
    {},
    { 'Retry-After': String(seconds) },
  )
}

const clientOfGrant = prepared<{ id: string }, { client_id: string | null }>((db, param) =>
  db.selectFrom('admin_oauth_grants').select('client_id').where('id', '=', param('id')),
)
