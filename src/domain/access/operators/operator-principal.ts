import { owner, type Principal } from '../../../engine/core/request/principal.js'
import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { OperatorRow } from '../../../engine/store/database/tables.js'
import { type Role, reaches } from '../../../schema/role.js'
import { textsOf } from '../keys/permissions.js'
import { expectSealed } from '../seals/not-as-sealed.js'
import { requiresMapping } from './operator-settings.js'

/** Access to rows and their seals. */
type Reading = Pick<Work, 'tx' | 'sealProblem'>

/**
 * Makes the principal of an operator from their row. The caller has checked that the operator is active and the row
 * matches its seal.
 */
export function principalOfOperator(row: OperatorRow): Principal {
  const role: Role = row.role ?? 'viewer'
  const { limit_each: each, limit_day: day, processing_ids: ids } = row
  return {
    kind: 'operator',
    id: row.id,
    role,
    manage: reaches(role, 'manager'),
    limits: { each, day },
    // A list that cannot be parsed permits no object.
    ...(ids !== null && { processingIds: textsOf(JSON.parse(ids)) ?? [] }),
  }
}

/**
 * The operator with the uid of a login, active or disabled; undefined if the login is not mapped to an operator.
 * Throws `NotAsSealed` for a row that something other than the service has written.
 */
export async function operatorOfUid(work: Reading, uid: number): Promise<OperatorRow | undefined> {
  const [row] = await work.tx.run(operatorByUid, { uid })
  if (row) await expectSealed(work, 'admin_operators', row)
  return row
}

/** A login of this machine. */
export interface Login {
  /** Undefined where the system has no uids. */
  readonly uid: number | undefined
  /** Whether the home directory belongs to the login. */
  readonly ownsHome: boolean
}

/**
 * The principal of a login at a terminal: its operator if active. A login without an operator is `owner` in its own
 * home, unless mapping is required. Undefined if the login has no access. Throws `NotAsSealed`.
 */
export async function loginPrincipal(
  work: Reading,
  { uid, ownsHome }: Login,
): Promise<Principal | undefined> {
  const row = uid === undefined ? undefined : await operatorOfUid(work, uid)
  if (row) return row.status === 'active' ? principalOfOperator(row) : undefined
  return ownsHome && !(await requiresMapping(work)) ? owner : undefined
}

const operatorByUid = prepared<{ uid: number }, OperatorRow>((db, param) =>
  db
    .selectFrom('admin_operators')
    .selectAll()
    .where('uid', '=', param('uid'))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(1),
)
