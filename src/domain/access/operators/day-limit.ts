import { sql } from 'kysely'
import type { CountedAction } from '../../../engine/core/moves/judge-operator.js'
import { ApiError } from '../../../engine/core/request/api-error.js'
import type { Principal } from '../../../engine/core/request/principal.js'
import type { OperatorJudging } from '../../../engine/core/write/core-dependencies.js'
import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import { endOfDay, instantOf, localDate } from '../../../platform/calendar/zone.js'
import { batchKinds } from '../../../resources/batch-kinds.js'
import { resources } from '../../../resources/resource-table.js'
import { datetimeOf } from '../../../schema/datetime.js'
import { formatMoney, type Minor } from '../../../schema/money.js'
import { operatorZone } from './operator-zone.js'

/**
 * Throws `Forbidden` if the amounts that an operator is about to move would exceed their limit of a day. The
 * operator's row stays locked until the unit of work ends, so two concurrent requests cannot both pass.
 */
async function admitForDay(
  work: Work,
  principal: Principal,
  counted: readonly CountedAction[],
): Promise<void> {
  const { id, limits } = principal
  const most = limits?.day ?? undefined
  if (most === undefined) return
  // The caller's scope may not include operators.
  const row = await work.asSystem(() => work.lock(resources.operator, id))
  if (row?.status !== 'active') throw new ApiError('Forbidden', 'The operator is disabled')
  const day = { id, ...(await dayOf(work)) }
  const moved = await movedInDay(work, day)
  const adding = await addedBy(work, day, counted)
  if (moved + adding > most)
    throw new ApiError(
      'Forbidden',
      `The limit of a day is ${formatMoney(most)}: ${formatMoney(moved)} was moved today, and this is ${formatMoney(adding)}`,
    )
}

/** Checks on operators that the declarations do not contain: kinds of batch rows and the limit of a day. */
export const operatorJudging: OperatorJudging = { batchKinds, admit: admitForDay }

/** An operator, and the current day as two datetimes: from `from`, before `until`. */
interface OperatorDay {
  readonly id: string
  readonly from: string
  readonly until: string
}

/** The current day in the time zone of operators. */
async function dayOf(work: Work): Promise<Omit<OperatorDay, 'id'>> {
  const zone = await operatorZone(work)
  const date = localDate(zone, work.milliseconds)
  return { from: datetimeOf(instantOf(zone, date)), until: datetimeOf(endOfDay(zone, date)) }
}

/**
 * Amount that an operator has moved in a day, in minor units. Payments that were declined or voided since do not
 * count. Captures and voids of payments that the operator took on the same day do not count again.
 */
async function movedInDay({ tx }: Work, day: OperatorDay): Promise<Minor> {
  const [sum] = await tx.run(sumOfDay, day)
  return Number(sum?.moved ?? 0)
}

const TAKEN = ['pay', 'authorize'] as const
const ON_TAKEN: readonly string[] = ['capture', 'void']

const sumOfDay = prepared<OperatorDay, { moved: Minor | string | null }>((db, param) =>
  db
    .selectFrom('admin_activity as a')
    .leftJoin('transactions as t', 't.id', 'a.object_id')
    .select(({ fn }) => fn.sum<Minor | string | null>('a.amount').as('moved'))
    .where('a.operator_id', '=', param('id'))
    .where('a.created_at', '>=', param('from'))
    .where('a.created_at', '<', param('until'))
    .where('a.verb', 'is not', null)
    .where('a.verb', '!=', 'change')
    .where(({ or, eb }) =>
      or([
        eb('t.status', 'is', null),
        eb('t.status', 'not in', ['declined', 'voided']),
        eb('a.verb', '=', 'void'),
      ]),
    )
    .where(({ not, and, eb, exists, selectFrom }) =>
      not(
        and([
          eb('a.verb', 'in', ['capture', 'void']),
          exists(
            selectFrom('admin_activity as b')
              .select(sql<number>`1`.as('found'))
              .whereRef('b.object_id', '=', 'a.object_id')
              .where('b.operator_id', '=', param('id'))
              .where('b.created_at', '>=', param('from'))
              .where('b.created_at', '<', param('until'))
              .where('b.verb', 'in', TAKEN),
          ),
        ]),
      ),
    ),
)

/** Amount that money actions add to the sum of a day, in minor units. */
async function addedBy({ tx }: Work, day: OperatorDay, counted: readonly CountedAction[]): Promise<Minor> {
  let sum = 0
  for (const { verb, amount, id: objectId = '' } of counted) {
    const hasCounted = ON_TAKEN.includes(verb) && (await tx.run(takenInDay, { ...day, objectId })).length > 0
    if (!hasCounted) sum += amount
  }
  return sum
}

const takenInDay = prepared<OperatorDay & { readonly objectId: string }, { id: string }>((db, param) =>
  db
    .selectFrom('admin_activity')
    .select('id')
    .where('object_id', '=', param('objectId'))
    .where('operator_id', '=', param('id'))
    .where('created_at', '>=', param('from'))
    .where('created_at', '<', param('until'))
    .where('verb', 'in', TAKEN)
    .limit(1),
)
