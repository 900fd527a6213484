import type { App } from '../../src/app.js'
import type { WireServer } from '../../test/gateways/contract/opened-rail.js'
import type { Chance } from '../../test/support/chance.js'
import { compareBooks, compareDisputes, comparePayouts, undecidedMethods } from './compared-books.js'
import { type Ask, allOf, type Merchant } from './connected-place.js'
import type { DaysAfter } from './days-after.js'

/** Maximal number of queries until the rail reports no further change. */
const PATIENCE = 20

/** An installation and its rail, while no request is under way. */
export interface Resting {
  readonly ask: Ask
  readonly app: App
  readonly wire: WireServer
  readonly merchant: Merchant
  readonly chance: Chance
  readonly after: DaysAfter
  /** Advances the clock beyond the rail's horizon. */
  readonly pass: () => void
}

/** Queries the rail for unknown outcomes and handles notifications, until neither changes anything. */
export async function findOut(ask: Ask, app: App): Promise<void> {
  let before = -1
  for (let times = 0; times < PATIENCE; times++) {
    await (await app.environment('test')).reconcile(0)
    const waiting = await allOf(ask, '/admin/gateway_notifications', [['status', 'waiting']])
    const { length: open } = await allOf(ask, '/transactions', [['status', 'processing']])
    if (waiting.length === 0 && open === before) return
    before = open
  }
}

/** Settles all payments. Then refunds that wait for settlement are sent. */
export async function settleAll(ask: Ask, app: App, wire: Pick<WireServer, 'settle'>): Promise<void> {
  await wire.settle()
  await ask('POST', '/admin/clock', { by: '3d' })
  await ask('POST', '/admin/pull_settlements')
  await findOut(ask, app)
}

/**
 * Releases all delayed requests, delivers a notification of every operation twice in random order, and resolves every
 * exception. Returns the differences between our books and the rail's, as text.
 */
export async function atRest(resting: Resting): Promise<string[]> {
  const { ask, app, wire, merchant, chance, after, pass } = resting
  const atGateway = async () => (await wire.taken()) - after.elsewhere
  for (let times = 0; times < 2; times++) {
    // The last refunds were sent at settlement. Their outcomes can be resolved only after their horizon.
    pass()
    await findOut(ask, app)
    await settleAll(ask, app, wire)
  }
  await wire.network.release()
  for (let times = 0; times < 2; times++) {
    for (const id of shuffled(await wire.operations(), chance))
      await app.receiveNotification({ id: merchant.gatewayId, ...wire.notice(id) })
    await findOut(ask, app)
  }
  const asFound = await compareBooks(ask, await atGateway())
  await after.decideAll()
  for (let times = 0; times < 2; times++) {
    pass()
    await settleAll(ask, app, wire)
    await after.decideAll()
  }
  return [
    ...asFound,
    ...(await compareBooks(ask, await atGateway())).map((problem) => `${problem}, when all is resolved`),
    ...(await comparePayouts(ask, app, await wire.paidOut?.())),
    ...(await compareDisputes(ask, wire)),
    ...(await after.open()).map(({ id, kind }) => `${kind} ${id} cannot be resolved`),
    ...(await undecidedMethods(app)),
  ]
}

function shuffled<T>(list: readonly T[], chance: Chance): readonly T[] {
  return list
    .map((item) => ({ item, at: chance.integer(0, 2 ** 31) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
}
