import { equalsInConstantTime } from '../../../platform/constant-time.js'
import { dateOf, datetimeOf, millisecondsOf } from '../../../schema/datetime.js'
import type { AddressField } from '../../../schema/field.js'
import type { Vault } from '../../store/vault/vault.js'

const DAY = 86_400_000

/** Makes and checks addresses that open a page without a key. */
export interface Addresses {
  /** Value that the field shows for the object with an id; `now` is a datetime. */
  show(field: AddressField, id: string, now: string): string | null
  /** Whether an address is genuine and has not expired. */
  isGood(parts: AddressParts, now: string): boolean
}

/** Parts of an address: `<page>/<environment>/<id>?until=<date>&signature=…`. */
export interface AddressParts {
  readonly page: string
  readonly id: string
  /** Date at whose beginning the address expires; undefined if it never expires. */
  readonly until?: string
  readonly signature: string
}

/**
 * Makes addresses below the service's current public address. The signature is a keyed hash of all other
 * parts, so an address can be neither guessed nor extended. An address expires at midnight (UTC), so that
 * it stays the same all day.
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

/** Midnight after at least `days` whole days, as a datetime. */
function endOf(days: number, now: string): string {
  const today = millisecondsOf(`${dateOf(now)} 00:00:00`)
  return datetimeOf(today + (days + 1) * DAY)
}
