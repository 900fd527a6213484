import { ApiError } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import { waitForName } from '../../../engine/store/database/differences.js'
import { prepared } from '../../../engine/store/database/prepared.js'

/**
 * Checks that somebody can work as owner at a terminal where mapping is required: an active owner of the whole environment,
 * with a login. Throws `Conflict`.
 */
export async function expectOwner({ tx }: Work): Promise<void> {
  // Two owners who leave at once would each see the other one, and none would be left.
  await waitForName(tx, 'the last owner')
  const [left] = await tx.run(mappedOwner, {})
  if (!left)
    throw new ApiError('Conflict', 'Where mapping is required, an active owner with a login must stay')
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
