import type { Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import { lockRows } from '../../engine/store/database/differences.js'
import type { MisconfiguredOutcome } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { millisecondsOf } from '../../schema/datetime.js'
import type { Gateways } from './gateways.js'

/**
 * Records that a gateway refuses its credentials, for operators to see. `gateways test` or new credentials clear the
 * record.
 */
export async function noteMisconfigured(
  work: Work,
  name: string | null,
  { problem }: MisconfiguredOutcome,
): Promise<void> {
  // Read without the caller's scope, as only operators see gateways.
  const named = work.tx.db
    .selectFrom('admin_gateways')
    .select(['id', 'problem'])
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
  if ((await named.executeTakeFirst())?.problem === problem) return
  // Of several concurrent failures, one writes the record.
  const row = await lockRows(work.tx.dialect, named).executeTakeFirst()
  if (!row || row.problem === problem) return
  await work.change(resources.gateway, row.id, { problem, circuit_opened_at: work.realNow })
  announce(work, row.id, 'misconfigured')
}

/** Notes whether this process leaves a gateway alone, or whether it works again. */
export async function noteCircuit(
  { read, write }: WorkRunner,
  gateways: Gateways,
  name: string,
): Promise<void> {
  const found = await read((work) => gateways.withRow(work, name))
  const row = found?.row
  const circuit = found?.gateway.circuit?.()
  if (!row || !circuit) return
  const { problem, workedAt } = circuit
  const since = row.circuit_opened_at
  const worksAgain = since !== null && workedAt !== undefined && workedAt > millisecondsOf(since)
  if ((problem === undefined) === (since === null) || (problem === undefined && !worksAgain)) return
  await write(async (work) => {
    await work.change(resources.gateway, row.id, {
      problem: problem ?? null,
      circuit_opened_at: problem === undefined ? null : work.realNow,
    })
    announce(work, row.id, problem === undefined ? 'reached' : 'unreachable')
  })
  gateways.changed()
}

function announce(work: Work, id: string, value: string): void {
  work.emit({ trigger: 'gateway', object: resources.gateway, id, value, processingId: null })
}
