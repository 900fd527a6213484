import type { DueJob, WorkRunner } from '../../engine/jobs/due-job.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { DisputeRow } from '../../engine/store/database/tables.js'
import type { GatewayNotice, RemoteGateway } from '../../gateways/contract.js'
import { ReadBudgets } from '../../platform/network/read-budget.js'
import { resources } from '../../resources/resource-table.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import { timeOfId } from '../../schema/id-time.js'
import { decidePending } from '../disputes/answer-dispute.js'
import { type Gateways, limitedBy } from '../gateways/gateways.js'
import { recordNotice } from './record-notice.js'

/** Disputes of one run. */
const BATCH_SIZE = 100
/** Milliseconds until a dispute is read again that could not be read. */
const RETRY = 600_000
/** Milliseconds until the outcome of an answer is looked for again. */
const PENDING_RETRY = 60_000

/**
 * Reads the open disputes of a gateway again: stages and deadlines change there, notifications get lost, and an answer
 * may have been given whose outcome is unknown.
 */
export function readDisputes(gateways: Gateways, lane: string): DueJob {
  const budgets = new ReadBudgets()
  return {
    name: 'read_disputes',
    lane,
    async next({ tx }, after) {
      const [first] = await tx.run(firstToRead, { gateway: lane, after: datetimeOf(after) })
      return first && millisecondsOf(first.read_at)
    },
    async run(runner, at, _after, stopping) {
      const due = await runner.read(({ tx }) => tx.run(toRead, { gateway: lane, until: datetimeOf(at) }))
      if (due.length === 0) return 0
      const budget = budgets.begin(stopping)
      let count = 0
      for (const row of due) {
        if (budget.end !== undefined) break
        const gateway = await runner.read((work) => gateways.forStatus(work, row))
        if (await readOne(runner, gateway && limitedBy(budget, gateway), row)) count++
      }
      budgets.ended(budget.end !== undefined && count === 0)
      return count
    },
  }
}

async function readOne(
  runner: WorkRunner,
  gateway: RemoteGateway | undefined,
  { id, reference, gateway_merchant: merchant }: DisputeRow,
): Promise<boolean> {
  const { disputes } = gateway ?? {}
  const notices =
    disputes &&
    (await disputes
      .read({ dispute: reference ?? '', merchant: merchant ?? undefined })
      .catch(() => undefined))
  await runner.write(async (work) => {
    const row = await work.lock(resources.dispute, id)
    if (!row || row.read_at === null) return
    const pause = row.pending_operation === null ? RETRY : PENDING_RETRY
    const again = disputes ? datetimeOf(work.milliseconds + pause) : null
    await work.change(resources.dispute, id, { read_at: again })
  })
  if (!gateway || !notices) return false
  const about: readonly GatewayNotice[] = notices
  for (const notice of about) await runner.write((work) => recordNotice(work, gateway, notice))
  const state = about.find((notice) => notice.kind === 'dispute')
  if (state)
    await runner.write(async (work) => {
      const [, operation = ''] = (await work.find(resources.dispute, id))?.pending_operation?.split(':') ?? []
      const isLate =
        operation !== '' && work.realMilliseconds - timeOfId(operation) >= gateway.capabilities.horizon
      await decidePending(work, id, state, isLate)
    })
  return state !== undefined
}

const firstToRead = prepared<{ gateway: string; after: string }, { read_at: string }>((db, param) =>
  db
    .selectFrom('disputes')
    .select((eb) => eb.ref('read_at').$notNull().as('read_at'))
    .where('gateway', '=', param('gateway'))
    .where('read_at', '>', param('after'))
    .orderBy('read_at')
    .limit(1),
)

const toRead = prepared<{ gateway: string; until: string }, DisputeRow>((db, param) =>
  db
    .selectFrom('disputes')
    .selectAll()
    .where('gateway', '=', param('gateway'))
    .where('read_at', '<=', param('until'))
    .orderBy('read_at')
    .limit(BATCH_SIZE),
)
