import type { Stripe } from 'stripe'
import { isTree } from '../../schema/types.js'
import type { Credentials, GatewayNotification, Notifications, Rail } from '../contract.js'
import { inEachAccount } from './stripe-accounts.js'
import { STRIPE_EVENTS } from './stripe-endpoints.js'
import { readingFailure } from './stripe-failure.js'
import { notificationIn } from './stripe-notices.js'
import { advancing } from './stripe-settlements.js'

interface Sources {
  readonly clientOf: (credentials: Credentials) => Stripe
  readonly now: () => number
}

/** Milliseconds between two polls. Polling only has to find lost notifications; the others arrive sooner by webhook. */
const BETWEEN = 600_000
/**
 * Seconds before the last poll that are read again, because Stripe may list an event late. The first poll
 * reads the same number of seconds back.
 */
const OVERLAP = 600
/** Maximal seconds that one poll covers. After a long pause, several polls follow each other. */
const SPAN = 86_400
/** Seconds for which Stripe keeps events. */
const KEPT = 30 * 86_400
const PAGE = 100
/** Maximal number of events in one poll. */
const MAX_EVENTS = 2_000

/**
 * Polls Stripe's events, to find notifications that were lost or never sent. The cursor has two times in
 * seconds: the time of the last poll, and the time up to which events were read. Each poll reads the ten
 * minutes before again, because Stripe may list an event late. The domain stores each event once.
 */
export function stripeEvents({ clientOf, now }: Sources): NonNullable<Rail['notifications']> {
  return async (cursor, credentials) => {
    const { parts, cursor: next } = await inEachAccount(cursor, credentials, async (position, at) => {
      const account = at.merchant === credentials.merchant ? undefined : at.merchant
      return await eventsOf(clientOf(at), account, { position, now: Math.floor(now() / 1000) })
    })
    return { notifications: parts.flatMap(({ notifications }) => notifications), cursor: next }
  }
}

/** Polls the events of one account. Events of a connected account get its id in `account`, as in Stripe's webhooks. */
async function eventsOf(
  stripe: Stripe,
  account: string | undefined,
  { position, now: at }: { readonly position: string | null; readonly now: number },
): Promise<Notifications> {
  const [looked = 0, until = at] = (position ?? '').split(' ').filter(Boolean).map(Number)
  if (Math.abs(at - looked) * 1000 < BETWEEN) return { notifications: [], cursor: position }
  const from = Math.max(until - OVERLAP, at - KEPT)
  let to = Math.min(from + SPAN, at)
  let notifications = await eventsBetween(stripe, account, { gte: from, lte: to })
  // Stripe lists the newest events first. If there are too many, half of the time is read, so that the oldest come
  // first.
  while (!notifications) {
    to = from + Math.floor((to - from) / 2)
    notifications = await eventsBetween(stripe, account, { gte: from, lte: to })
  }
  // If events up to now remain unread, time 0 makes the next poll due at once.
  const next = to < at ? 0 : at
  return { notifications: notifications.toReversed(), cursor: `${next} ${to}` }
}

/** Events in a span of time (seconds since 1970), newest first; undefined if there are more than `MAX_EVENTS`. */
async function eventsBetween(
  stripe: Stripe,
  account: string | undefined,
  created: { readonly gte: number; readonly lte: number },
): Promise<readonly GatewayNotification[] | undefined> {
  const notifications: GatewayNotification[] = []
  let count = 0
  try {
    for await (const event of advancing(
      stripe.events.list({ types: [...STRIPE_EVENTS], created, limit: PAGE }),
    )) {
      if (++count > MAX_EVENTS && created.lte > created.gte) return undefined
      const payload: unknown = { ...event, ...(account !== undefined && { account }) }
      if (isTree(payload)) notifications.push(...notificationIn(payload))
    }
  } catch (error) {
    throw readingFailure(error)
  }
  return notifications
}
