import type { Work } from '../../../engine/core/write/work.js'
import { DEFAULT_CUT_OFF } from '../../../platform/calendar/cut-off.js'

/** Time zones of processing accounts, by id; the default zone for an account without an organization. */
export async function zonesOf(
  db: Work['tx']['db'],
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const named = [...new Set(ids.filter((id) => id !== null))]
  if (named.length === 0) return new Map()
  const rows = await db
    .selectFrom('accounts as a')
    .leftJoin('orgs as o', (join) =>
      join.onRef('o.id', '=', 'a.parent_org_id').on('o.deleted_at', 'is', null),
    )
    .select(['a.id', 'o.timezone'])
    .where('a.id', 'in', named)
    .execute()
  return new Map(rows.map(({ id, timezone }) => [id, timezone ?? DEFAULT_CUT_OFF.timeZone]))
}
