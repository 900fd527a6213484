import type { Environment, Tx } from '../../engine/store/database/store.js'
import { timeOfId } from '../../schema/id-time.js'
import { type CheckResult, failed, passed, warning } from './check-result.js'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
/**
 * Milliseconds after which an outcome should be known. This time is longer than the `horizon` of every rail (how long a
 * request may stay unseen at the gateway), with time for a query.
 */
export const UNKNOWN_AFTER = 20 * MINUTE
/** Milliseconds after which an unknown outcome is shown; by then the gateway was queried several times. */
const SHOWN_AFTER = 5 * MINUTE

/** Operation without an outcome. */
interface Open {
  readonly id: string
  readonly gateway: string | null
  /** Milliseconds since the request, less the ten days that a pending operation may take. */
  readonly age: number
}

/**
 * Checks for operations without an outcome, with the causes that their gateways show. An operation that the
 * gateway decides later, such as a bank payment, may be pending for days. A refund that waits for its
 * payment to settle was not sent yet.
 */
export async function unknownOutcomes(
  { db }: Tx,
  environment: Environment,
  now: number,
): Promise<CheckResult> {
  const check = 'transactions'
  const rows = await db
    .selectFrom('transactions')
    .select(['id', 'status', 'gateway', 'gateway_id', 'pending_operation'])
    .where('pending_operation', 'is not', null)
    .execute()
  const open = rows.flatMap(
    ({ id, status, gateway, gateway_id: known, pending_operation: pending }): Open[] => {
      const [kind, ...named] = pending?.split(':') ?? []
      // The state of a refund is in the row of the refund itself.
      if (kind === 'refunding' || named.includes('unsent')) return []
      const isPending = status === 'processing' && known !== null
      // The time of a later operation on a payment is in its own reference.
      const reference = named.find((name) => name.startsWith('op_')) ?? id
      return [{ id, gateway, age: now - timeOfId(reference) - (isPending ? 10 * DAY : 0) }]
    },
  )
  const shown = open.filter(({ age }) => age > SHOWN_AFTER)
  // The operations are sorted here, because `order by id` would make SQLite read the whole table.
  const [oldest] = shown.toSorted((a, b) => b.age - a.age)
  if (!oldest) return passed(check, 'no outcome is unknown')
  const outcomes = shown.length === 1 ? '1 outcome is unknown' : `${shown.length} outcomes are unknown`
  const causes = await causesOf({ db }, new Set(shown.map(({ gateway }) => gateway)))
  const found = `${outcomes}, the oldest is ${oldest.id}: ${causes}; serve asks the gateway each minute`
  const fix = `payctl transactions explain ${oldest.id} --env ${environment}`
  return oldest.age > UNKNOWN_AFTER ? failed(check, found, fix) : warning(check, found, fix)
}

/** Current problems of gateways, as text. */
async function causesOf({ db }: Pick<Tx, 'db'>, names: ReadonlySet<string | null>): Promise<string> {
  const named = [...names].filter((name) => name !== null)
  const gateways = await db
    .selectFrom('admin_gateways')
    .select(['name', 'problem', 'deleted_at'])
    .where('name', 'in', ['', ...named])
    .execute()
  const known = [...names].map((name) => {
    const gateway = gateways.find((each) => each.name === name && each.deleted_at === null)
    if (name !== null && !gateway) return `${name} is not connected any more`
    return `${name ?? 'the simulator'} ${gateway?.problem ?? 'has not said yet what became of them'}`
  })
  return known.join(', ')
}
