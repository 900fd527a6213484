import { equalsInConstantTime } from '../../../platform/constant-time.js'
import { dateOf, datetimeOf, millisecondsOf } from '../../../schema/datetime.js'
import type { AddressField } from '../../../schema/field.js'
import type { Vault } from '../../store/vault/vault.js'

const DAY = 86_400_000

/** Makes and checks addresses that open something without a key. */
export interface Addresses {
  /** What the field shows of the object with an id. `now` is a datetime. */
  show(field: AddressField, id: string, now: string): string | null
  /** Whether an address is genuine and has not ended. */
  isGood(parts: AddressParts, now: string): boolean
}

/** The parts of an address that somebody opens: `<page>/<environment>/<id>?until=<date>&signature=…`. */
export interface AddressParts {
  readonly page: string
  readonly id: string
  /** The day at whose beginning it ends; undefined: never. */
  readonly until?: string
  readonly signature: string
}

/**
 * Addresses below the public address that the service has when they are shown. The signature is a keyed hash of all
 * other parts: it can neither be guessed nor extended. An address ends at midnight (UTC), so that it is the same all day.
 */
export function addressesOf(base: () => string, environment: string, vault: Vault): Addresses {
  const sign = (page: string, id: string, until: string) =>
    vault.hash(JSON.stringify([environment, page, id, until]), 'address')
  return {
    show({ page, days, shows, open, below }, id, now) {
      if (open) return [base(), page, id, ...(below === undefined ? [] : [below])].join('/')
      const end = days === undefined ? undefined : endOf(days, now)
      if (shows === 'end') return end ?? null
      const until = end === undefined ? '' : dateOf(end)
      const query = new URLSearchParams({ ...(end && { until }), signature: sign(page, id, until) })
      return `${base()}/${page}/${environment}/${id}?${query}`
    },
    isGood: ({ page, id, until = '', signature }, now) =>
      equalsInConstantTime(signature, sign(page, id, until)) && (until === '' || until > dateOf(now)),
  }
}

/** The midnight that is `days` whole days away at least. */
function endOf(days: number, now: string): string {
  const today = millisecondsOf(`${dateOf(now)} 00:00:00`)
  return datetimeOf(today + (days + 1) * DAY)
}
