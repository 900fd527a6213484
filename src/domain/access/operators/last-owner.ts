import { ApiError } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import { waitForName } from '../../../engine/store/database/differences.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { OperatorRow } from '../../../engine/store/database/tables.js'

/**
 * Whether an operator can work as owner at a terminal. Such an operator is active, is not narrowed to processing
 * accounts, and has a login of the machine.
 */
export function ownsAtTerminal({ role, status, uid, processing_ids }: OperatorRow): boolean {
  return role === 'owner' && status === 'active' && uid !== null && processing_ids === null
}

/** Throws `Conflict` if no operator can work as owner at a terminal. */
export async function expectOwner({ tx }: Work): Promise<void> {
  // Two owners who leave at the same time would each see the other owner, and no owner would be left.
  await waitForName(tx, 'the last owner')
  const [left] = await tx.run(mappedOwner, {})
  if (!left)
    throw new ApiError(
      'Conflict',
      'There would be no owner at this machine; map one first: payctl operators update EMAIL --role owner --login LOGIN',
    )
}

const mappedOwner = prepared<object, { id: string }>((db) =>
  db
    .selectFrom('admin_operators')
    .select('id')
    .where('role', '=', 'owner')
    .where('status', '=', 'active')
    .where('uid', 'is not', null)
    .where('processing_ids', 'is', null)
    .where('deleted_at', 'is', null)
    .limit(1),
)
