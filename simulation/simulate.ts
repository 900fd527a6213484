import { problemsOf } from './world/checks.js'
import { Known } from './world/known.js'
import { makeProcessing, OPERATIONS, type Operation } from './world/operations.js'
import { World, type WorldOptions } from './world/world.js'

export interface Simulation extends WorldOptions {
  readonly days: number
  readonly accounts: number
  /** Average number of operations a day. */
  readonly operations: number
}

export interface Simulated {
  /** Number of operations; `crashes` is the number of simulated crashes. */
  readonly operations: number
  readonly crashes: number
  /** The first day with a problem; undefined if there was none. */
  readonly failed?: {
    readonly day: number
    readonly problems: readonly string[]
    readonly last: readonly string[]
  }
}

const DAY = 24 * 60 * 60 * 1000
/** Maximal number of calls of effects before a doomed process dies. */
const CALLS = 60

/** Simulates days of business, with crashes between any two steps. Stops on the first day with a problem. */
export async function simulate(simulation: Simulation): Promise<Simulated> {
  const world = new World(simulation)
  const known = new Known()
  let operations = 0
  try {
    for (let n = 0; n < simulation.accounts; n++) await makeProcessing(world, known)
    for (let day = 1; day <= simulation.days; day++) {
      const since = {
        marks: known.marks.length,
        performed: world.gateway.performed.length,
        sent: world.sent.length,
      }
      const told = await oneDay(world, known, world.chance.integer(0, 2 * simulation.operations))
      operations += told.length
      const problems = await problemsOf(world, known, since)
      if (problems.length > 0) {
        const failed = { day, problems, last: told.slice(-20) }
        return { operations, crashes: world.crashes, failed }
      }
    }
    return { operations, crashes: world.crashes }
  } finally {
    world.fate.spare()
    await world.close()
  }
}

/** Runs operations spread over the day, with due jobs in between. */
async function oneDay(world: World, known: Known, count: number): Promise<string[]> {
  const told: string[] = []
  const { chance } = world
  for (let n = 0; n < count; n++) {
    world.clock.advance(Math.floor(DAY / (count + 1)))
    if (chance.percent(10)) world.fate.doom(chance.integer(1, CALLS))
    told.push(await pick(world)(world, known))
    if (chance.percent(15)) await world.settle()
  }
  world.clock.advance(DAY - count * Math.floor(DAY / (count + 1)))
  if (chance.percent(30)) world.fate.doom(chance.integer(1, CALLS))
  await world.settle()
  world.fate.spare()
  // If the process died while it settled before, this call completes that work.
  await world.settle()
  return told
}

const WHOLE = OPERATIONS.reduce((sum, [weight]) => sum + weight, 0)

/** A random operation, by weight. */
export function pick({ chance }: World): Operation {
  let left = chance.integer(1, WHOLE)
  for (const [weight, operation] of OPERATIONS) {
    left -= weight
    if (left <= 0) return operation
  }
  throw new Error('The weights do not sum up')
}
