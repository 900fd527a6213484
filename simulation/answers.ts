import { simulator } from '../src/gateways/simulator/simulator.js'
import type { JsonObject } from '../src/schema/json.js'
import type { Place } from '../test/support/databases.js'
import { pick } from './simulate.js'
import { Known } from './world/known.js'
import { makeProcessing } from './world/operations.js'
import { World } from './world/world.js'

const ACCOUNTS = 3
/** Milliseconds by which the clock advances; `TURN` is the number of operations between two runs of due jobs. */
const STEP = 17 * 60 * 1000
const TURN = 40

/**
 * Complete answers to a random sequence of operations: status, headers and body. A seed yields the same requests on
 * every database, because no random value of the service is used in a request.
 */
export async function answersOf(place: Place, seed: number, operations: number): Promise<string[]> {
  const answers: string[] = []
  const named = drawnByTurn()
  const world = new World({
    place,
    seed,
    gateway: () => simulator,
    hear: ({ method, path }, { status, headers, body }) =>
      answers.push(
        named(`${method} ${path} ${status} ${JSON.stringify(headers)} ${JSON.stringify(alike(body))}`),
      ),
  })
  const known = new Known()
  try {
    for (let n = 0; n < ACCOUNTS; n++) await makeProcessing(world, known)
    for (let n = 1; n <= operations; n++) {
      world.clock.advance(STEP)
      await pick(world)(world, known)
      if (n % TURN === 0) await world.settle()
    }
    await world.send({ method: 'GET', path: '/admin/verify' })
    return [...answers, ...world.troubles]
  } finally {
    await world.close()
  }
}

/** Random values of the service in answers: ids, reference numbers and sealed cursors. */
const DRAWN = /\b[a-z]+_[0-9A-Za-z]{22}\b|\b[0-9A-Z]{4}(-[0-9A-Z]{4}){3}\b|\b[0-9a-f]{12}\.[\w-]{40,}/g

/** Numbers of invoices. PostgreSQL creates invoices that are due at the same time in any order. */
const NUMBERS = /\bINV-\d{4}-\d{6}\b/g

/**
 * Returns a function that replaces random values by numbers, in order of appearance. A unit of work that runs again
 * draws other values.
 */
function drawnByTurn(): (text: string) => string {
  const numbers = new Map<string, string>()
  return (text) =>
    text.replaceAll(NUMBERS, 'INV').replaceAll(DRAWN, (drawn) => {
      const number = numbers.get(drawn) ?? `drawn ${numbers.size + 1}`
      numbers.set(drawn, number)
      return number
    })
}

/**
 * Output of verify without the number of examined rows, which differs: on PostgreSQL, commits are sealed a moment
 * later.
 */
function alike({ examined, ...rest }: JsonObject): JsonObject {
  return rest
}
