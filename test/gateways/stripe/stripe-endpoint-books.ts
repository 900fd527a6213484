import type { Form } from './stripe-books.js'
import { invalid } from './stripe-problem.js'

/** An event in Stripe's list of events. */
export interface StripeEvent {
  readonly id: string
  readonly object: string
  readonly type: string
  /** Seconds since 1970. */
  readonly created: number
  readonly [name: string]: unknown
}

interface Endpoint {
  readonly id: string
  readonly object: 'webhook_endpoint'
  readonly url: string
  readonly api_version: string | null
  readonly enabled_events: readonly string[]
  readonly application: string | null
  status: 'enabled' | 'disabled'
}

/** Endpoints for notifications. Each has its own secret, which is answered only when the endpoint is created. */
export class StripeEndpoints {
  readonly list: Endpoint[] = []
  readonly secrets = new Map<string, string>()
  private made = 0

  create(form: Form): object {
    const url = form.get('url') ?? ''
    if (!/^https?:/.test(url)) throw invalid('url_invalid', 'Invalid URL: must begin with https.')
    const events = [...form].flatMap(([name, value]) => (/^enabled_events\[\d*\]$/.test(name) ? [value] : []))
    if (events.length === 0) throw invalid('parameter_missing', 'Missing required param: enabled_events.')
    const id = `we_${++this.made}`
    const secret = `whsec_of_${id}_${'k'.repeat(20)}`
    const endpoint: Endpoint = {
      id,
      object: 'webhook_endpoint',
      url,
      api_version: form.get('api_version') ?? null,
      enabled_events: events,
      application: form.get('connect') === 'true' ? 'ca_1' : null,
      status: 'enabled',
    }
    this.list.push(endpoint)
    this.secrets.set(id, secret)
    return { ...endpoint, secret }
  }

  remove(id: string): object {
    const at = this.list.findIndex((each) => each.id === id)
    if (at === -1) throw invalid('resource_missing', `No such webhook endpoint: ${id}`)
    this.list.splice(at, 1)
    return { id, object: 'webhook_endpoint', deleted: true }
  }
}

/**
 * Events of an account as in its list, without the account's id. An event without an account is in the list of every
 * account.
 */
export function eventsOf(
  events: readonly StripeEvent[],
  account: string | undefined,
): readonly StripeEvent[] {
  return events
    .filter((event) => event['account'] === undefined || event['account'] === account)
    .map(({ account: _, ...event }) => event)
}

/** Events of the types and the span of time that a form names. */
export function eventsWithin(events: readonly StripeEvent[], form: Form): readonly StripeEvent[] {
  const types = [...form].flatMap(([name, value]) => (/^types\[\d*\]$/.test(name) ? [value] : []))
  const from = Number(form.get('created[gte]') ?? 0)
  const to = Number(form.get('created[lte]') ?? Number.POSITIVE_INFINITY)
  return events.filter(
    ({ type, created }) => created >= from && created <= to && (types.length === 0 || types.includes(type)),
  )
}

/** The account of the secret key: in the United States, with cards and ACH debits switched on. */
export function accountOfKey(): object {
  return {
    id: 'acct_1',
    object: 'account',
    charges_enabled: true,
    payouts_enabled: true,
    country: 'US',
    capabilities: { card_payments: 'active', us_bank_account_ach_payments: 'active' },
  }
}
