import { invalidAttributes } from '../core/errors.js'
import type { RowByName } from '../core/work.js'
import { datetimeOf } from '../schema/datetime.js'
import { Problem, readValue } from '../schema/read.js'
import type { Input } from '../schema/types.js'

type Lifetime = Pick<RowByName['api_key'], 'status' | 'expires_at'>

/** The longest that an old key may live on after its rotation. */
const LONGEST_OVERLAP_SECONDS = 30 * 86_400

/** Whether a key is accepted at a datetime: neither revoked nor expired. */
export function isAlive({ status, expires_at }: Lifetime, now: string): boolean {
  return status === 'active' && (expires_at === null || expires_at > now)
}

/** The earlier of two datetimes, where nothing means never. */
export function earlier(one: string | null, other: string): string {
  return one !== null && one < other ? one : other
}

/**
 * Until when a rotated key lives on: `overlap` in seconds from now, or the datetime `expires_at`; neither: it ends
 * now. Throws `InvalidAttributes`.
 */
export function endOfRotated(input: Input, milliseconds: number): string {
  const unknown = Object.keys(input).filter((name) => name !== 'overlap' && name !== 'expires_at')
  if (unknown.length > 0) {
    throw invalidAttributes(Object.fromEntries(unknown.map((name) => [name, 'Unknown attribute'])))
  }
  const overlap = read('overlap', input) ?? 0
  const until = read('expires_at', input) ?? datetimeOf(milliseconds + Number(overlap) * 1000)
  const latest = datetimeOf(milliseconds + LONGEST_OVERLAP_SECONDS * 1000)
  if (String(until) > latest) throw invalidAttributes({ expires_at: `Must be at most ${latest}` })
  return String(until)
}

const OPTIONS = {
  overlap: { kind: 'integer', min: 0, max: LONGEST_OVERLAP_SECONDS },
  expires_at: { kind: 'datetime' },
} as const

function read(name: keyof typeof OPTIONS, input: Input) {
  const given = input[name]
  if (given === undefined || given === null || given === '') return undefined
  const value = readValue(OPTIONS[name], given)
  if (value instanceof Problem) throw invalidAttributes({ [name]: value.message })
  return value
}
