import type { Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import { lockRows } from '../../engine/store/database/differences.js'
import type { GatewayCircuitRow } from '../../engine/store/database/tables.js'
import type { CircuitCause, CircuitScope, MisconfiguredOutcome } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { causeWords } from './circuit-words.js'
import type { Gateways } from './gateways.js'

/** Milliseconds for which a repeated refusal is not written again: many operations may fail at once. */
const NOTED_FOR = 5_000

/**
 * Records that a gateway refuses its credentials, a merchant or a kind of method, for operators and for every process.
 * `gateways test`, new credentials, or an operation that works clear the record.
 */
export async function noteMisconfigured(
  work: Work,
  name: string | null,
  { scope, problem, merchant = '', isRepeated }: MisconfiguredOutcome,
): Promise<void> {
  if (isRepeated) return
  const [row] = name === null ? [] : await work.findBy(resources.gateway, 'name', name)
  if (row)
    await noteCause(work, row.id, { scope, subject: merchant, problem, noticedAt: work.realMilliseconds })
}

/** Records a cause. If several operations fail at the same time, only one of them writes the record. */
export async function noteCause(work: Work, gatewayId: string, cause: CircuitCause): Promise<void> {
  const { db, dialect } = work.tx
  const { scope, subject, noticedAt } = cause
  const problem = causeWords(cause)
  const id = idOf(gatewayId, cause)
  const stored = db.selectFrom('gateway_circuits').selectAll().where('id', '=', id)
  const isNoted = (known: GatewayCircuitRow | undefined) =>
    known?.problem === problem && noticedAt < Number(known.noticed_at) + NOTED_FOR
  if (isNoted(await stored.executeTakeFirst())) return
  const gateway = db.selectFrom('admin_gateways').select('id').where('id', '=', gatewayId)
  await lockRows(dialect, gateway).executeTakeFirst()
  const known = await stored.executeTakeFirst()
  if (isNoted(known)) return
  await db
    .insertInto('gateway_circuits')
    .values({
      id,
      gateway_id: gatewayId,
      scope,
      subject,
      problem,
      since: work.realNow,
      noticed_at: noticedAt,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ problem, noticed_at: noticedAt }))
    .execute()
  await removeReplaced(db, gatewayId, cause)
  if (known?.problem === problem) return
  await showProblem(work, gatewayId)
  announce(work, gatewayId, EVENTS[scope])
}

/** Scopes of causes that exclude one another: a gateway that refuses a request was reached. */
const REPLACED: readonly (readonly CircuitScope[])[] = [
  ['gateway', 'unreachable'],
  ['merchant', 'failing'],
]

/** Removes earlier causes that the present one disproves. */
async function removeReplaced(
  db: Work['tx']['db'],
  gatewayId: string,
  { scope, subject }: CircuitCause,
): Promise<void> {
  const others = REPLACED.find((scopes) => scopes.includes(scope))?.filter((other) => other !== scope) ?? []
  if (others.length === 0) return
  await db
    .deleteFrom('gateway_circuits')
    .where('gateway_id', '=', gatewayId)
    .where('subject', '=', subject)
    .where('scope', 'in', others)
    .execute()
}

/** Scopes whose circuits are closed; all by default. */
interface ClosedScopes {
  readonly only?: readonly CircuitScope[]
  readonly but?: readonly CircuitScope[]
}

/** Closes circuits of a gateway. Every process then opens a new connection. */
export async function closeCircuits(
  work: Work,
  gatewayId: string,
  { only, but = [] }: ClosedScopes = {},
): Promise<void> {
  await work.tx.db
    .deleteFrom('gateway_circuits')
    .where('gateway_id', '=', gatewayId)
    .$if(only !== undefined, (query) => query.where('scope', 'in', only ?? []))
    .$if(but.length > 0, (query) => query.where('scope', 'not in', but))
    .execute()
  await showProblem(work, gatewayId)
  const row = await work.find(resources.gateway, gatewayId)
  const circuits_closed = (row?.circuits_closed ?? 0) + 1
  await work.change(resources.gateway, gatewayId, { circuits_closed })
}

/** Stores the causes that this process has met at a gateway, and removes those that are over. */
export async function noteCircuits(
  { read, write }: WorkRunner,
  gateways: Gateways,
  name: string,
): Promise<void> {
  const found = await read((work) => gateways.withRow(work, name))
  const row = found?.row
  const circuits = found?.gateway.circuits
  if (!row || !circuits) return
  const unstored = circuits.unstored()
  const over = circuits.over()
  if (unstored.length + over.length === 0) return
  for (const cause of unstored) await write((work) => noteCause(work, row.id, cause))
  for (const { scope, subject, workedAt } of over)
    await write((work) => removeCause(work, row.id, { scope, subject }, workedAt))
  gateways.changed()
}

/** Removes a cause, unless another process has met it again since. */
async function removeCause(
  work: Work,
  gatewayId: string,
  cause: Pick<CircuitCause, 'scope' | 'subject'>,
  workedAt: number,
): Promise<void> {
  const { numDeletedRows } = await work.tx.db
    .deleteFrom('gateway_circuits')
    .where('id', '=', idOf(gatewayId, cause))
    .where('noticed_at', '<=', workedAt)
    .executeTakeFirst()
  if (Number(numDeletedRows) === 0) return
  await showProblem(work, gatewayId)
  announce(work, gatewayId, 'reached')
}

/** Writes the stored causes as text into the gateway's row. */
async function showProblem(work: Work, gatewayId: string): Promise<void> {
  const causes = await work.tx.db
    .selectFrom('gateway_circuits')
    .selectAll()
    .where('gateway_id', '=', gatewayId)
    .orderBy('id')
    .execute()
  const whole = causes.find(({ scope }) => scope === 'gateway' || scope === 'unreachable')
  const others = causes.filter((each) => each !== whole)
  const words = (whole ? [whole, ...others] : others).map(({ problem }) => problem)
  await work.change(resources.gateway, gatewayId, {
    problem: words.length === 0 ? null : words.join('; '),
    circuit_opened_at: whole?.since ?? null,
  })
}

/** Event for the causes of each scope. */
const EVENTS: Readonly<Record<CircuitScope, string>> = {
  gateway: 'misconfigured',
  unreachable: 'unreachable',
  failing: 'failing',
  merchant: 'merchant_refused',
  card: 'method_refused',
  bank_account: 'method_refused',
  card_number: 'method_refused',
  reading: 'reading_refused',
}

function idOf(gatewayId: string, { scope, subject }: Pick<CircuitCause, 'scope' | 'subject'>): string {
  return `${gatewayId} ${scope} ${subject}`
}

function announce(work: Work, id: string, value: string): void {
  work.emit({ trigger: 'gateway', object: resources.gateway, id, value, processingId: null })
}
