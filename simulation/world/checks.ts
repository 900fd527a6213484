import type { JsonObject } from '../../src/schema/json.js'
import type { Known } from './known.js'
import type { World } from './world.js'

/**
 * Problems at the end of a day: unexpected errors, broken rules, lost or double payments, differences from the gateway,
 * and wrong senders.
 */
export async function problemsOf(world: World, known: Known, since: Day): Promise<string[]> {
  return [
    ...world.troubles.splice(0),
    ...(await brokenRules(world)),
    ...(await lostOrTwice(world, known, since)),
    ...(await unlikeGateway(world, since)),
    ...(await wrongPeople(world, since)),
  ]
}

/** Lengths of the world's lists at the beginning of a day, so that only newer entries are checked. */
export interface Day {
  readonly marks: number
  readonly performed: number
  readonly sent: number
}

async function brokenRules(world: World): Promise<string[]> {
  const { findings } = await answered(world, '/admin/verify')
  return listOf(findings).map(({ check, id, problem }) => `${check}: ${id}: ${problem}`)
}

/** Problems of payments with an idempotency key: an acknowledged one must exist, and none may exist twice. */
async function lostOrTwice(world: World, known: Known, { marks }: Day): Promise<string[]> {
  const asked = known.marks.slice(marks)
  const problems: string[] = []
  for (let start = 0; start < asked.length; start += 50) {
    const lot = asked.slice(start, start + 50)
    const filter = lot.map(({ mark }) => mark).join('|')
    const { values } = await answered(world, '/transactions', [
      ['order_number', filter],
      ['fields', 'order_number,status'],
      ['limit', '1000'],
    ])
    for (const { mark, isAcknowledged } of lot) {
      const found = listOf(values).filter((row) => row.order_number === mark)
      const good = found.filter((row) => row.status !== 'declined')
      if (found.length > 1) problems.push(`${mark} is there ${found.length} times`)
      if (isAcknowledged && good.length === 0) problems.push(`${mark} was acknowledged and is not there`)
    }
  }
  return problems
}

/**
 * Differences between our payments and the gateway's: a payment must be taken if, and only if, the payer was charged.
 */
async function unlikeGateway(world: World, { performed }: Day): Promise<string[]> {
  const problems: string[] = []
  for (const { type, reference } of world.gateway.performed.slice(performed)) {
    if (type !== 'sale' && type !== 'authorize') continue
    const { body } = (await world.send({ method: 'GET', path: `/transactions/${reference}` })) ?? {}
    const isTaken = body !== undefined && body.status !== undefined && body.status !== 'declined'
    if (isTaken !== (await world.gateway.isApproved(reference)))
      problems.push(`${reference} is ${body?.status ?? 'not there'}, and the gateway says otherwise`)
  }
  return problems
}

/**
 * Problems of the activity log: a request that created an object must have a line, and no line may name another sender.
 */
async function wrongPeople(world: World, { sent }: Day): Promise<string[]> {
  const requests = world.sent.slice(sent)
  if (requests.length === 0) return []
  const { values } = await answered(world, '/admin/activity', [
    ['request_id', requests.map(({ requestId }) => requestId).join('|')],
    ['limit', '1000'],
  ])
  const lines = listOf(values)
  return requests.flatMap(({ requestId, by, made }) => {
    const own = lines.filter((line) => line.request_id === requestId)
    const others = own.filter((line) => line.by !== 'system' && line.by_id !== by)
    const isNamed = own.some((line) => line.object_id === made && line.by_id === by)
    return [
      ...others.map((line) => `${line.object_id} was made by ${by}, and its line names ${line.by_id}`),
      ...(made === undefined || isNamed ? [] : [`${made} has no line of ${by}`]),
    ]
  })
}

async function answered(
  world: World,
  path: string,
  query: readonly (readonly [string, string])[] = [],
): Promise<JsonObject> {
  const response = await world.send({ method: 'GET', path, query })
  if (response?.status !== 200)
    throw new Error(`${path}: ${response?.status} ${JSON.stringify(response?.body)}`)
  return response.body
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value : []
}
