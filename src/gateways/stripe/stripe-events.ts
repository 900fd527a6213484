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

/** Milliseconds between two looks: notifications come sooner, and polling finds those that were lost. */
const BETWEEN = 600_000
/** Seconds that the first look goes back, and before which events may still be listed late. */
const OVERLAP = 600
/** Seconds that one look covers at most, so that a long silence is read in parts. */
const SPAN = 86_400
/** Seconds for which Stripe keeps events. */
const KEPT = 30 * 86_400
const PAGE = 100
/** Events of one look. */
const MAX_EVENTS = 2_000

/**
 * Polls Stripe's events, for notifications that were lost or never sent. The cursor is the time of the last look and
 * that until which events were read, in seconds. The ten minutes before are read again, as an event may be listed late;
 * each is stored once.
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

/** Events of one account; of a connected account they name it, as they do when Stripe posts them. */
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
  // A list begins with the newest: a shorter time is read where it has too many.
  while (!notifications) {
    to = from + Math.floor((to - from) / 2)
    notifications = await eventsBetween(stripe, account, { gte: from, lte: to })
  }
  // A part of a long silence: the next look follows at once.
  const next = to < at ? 0 : at
  return { notifications: notifications.toReversed(), cursor: `${next} ${to}` }
}

/** Events of a time, newest first; undefined where one look does not hold them all. */
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
