import { openApp } from '../../src/app.js'
import type { Clock } from '../../src/platform/clock.js'
import { makeControlRows } from '../../test/support/control-rows.js'
import type { Place } from '../../test/support/databases.js'
import { pick } from '../simulate.js'
import { Known } from '../world/known.js'
import { makeProcessing } from '../world/operations.js'
import { World } from '../world/world.js'
import { MORE_STORIES } from './more-stories.js'
import { settleBooks } from './settled-books.js'

const HOUR = 3_600_000
const ACCOUNTS = 3

export interface HonestBooks {
  readonly place: Place
  readonly seed: number
  /** Number of operations. They are sent to the core as requests. */
  readonly stories: number
}

/**
 * Creates valid books like those of a business over weeks: payments, refunds, disputes, invoices, schedules, links and
 * batches. At the end, a gateway settles some transactions, and rows of control tables are created.
 */
export async function keepHonestBooks({ place, seed, stories }: HonestBooks): Promise<void> {
  const world = new World({ place, seed })
  const known = new Known()
  try {
    for (let n = 0; n < ACCOUNTS; n++) await makeProcessing(world, known)
    for (let story = 0; story < stories; story++) {
      world.clock.advance(world.chance.integer(1, 6) * HOUR)
      const more = world.chance.percent(15) ? world.chance.pick(MORE_STORIES) : undefined
      await (more ?? pick(world))(world, known)
      if (world.chance.percent(30)) await world.settle()
    }
    await world.settle()
    const [trouble] = world.troubles
    if (trouble !== undefined) throw new Error(trouble)
    await world.close()
    await settleBooks({ place, clock: world.clock, chance: world.chance })
    await controlBooks(place, world.clock)
  } finally {
    await world.close()
  }
}

/** Creates rows of control tables, which decide permissions and where money and events go. */
async function controlBooks({ home, databaseUrl }: Place, clock: Clock): Promise<void> {
  const app = openApp({ home, databaseUrl, clock })
  try {
    await makeControlRows(app)
  } finally {
    await app.close()
  }
}
