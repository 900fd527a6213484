import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Work } from '../../engine/core/write/work.js'
import { DEFAULT_CUT_OFF } from '../../platform/calendar/cut-off.js'
import { resources } from '../../resources/resource-table.js'

/** Processing accounts of a report; undefined for all, including postings that belong to no account. */
export type ReportAccounts = readonly string[] | undefined

/**
 * The processing accounts that a report covers: the requested one, otherwise those that the principal is restricted to.
 * Throws `InvalidAttributes` for an account that the principal may not see.
 */
export async function reportAccounts(work: Work, requested: string | null): Promise<ReportAccounts> {
  if (requested === null) return work.principal.processingIds
  const account = await work.find(resources.processing_account, requested)
  if (!account) throw invalidAttributes({ account: 'There is no such processing account' })
  return [account.id]
}

/** The time zone of the accounts' organizations; the default one where they are in several. */
export async function reportZone(work: Work, accounts: ReportAccounts): Promise<string> {
  const [zone = DEFAULT_CUT_OFF.timeZone, ...others] = await reportZones(work, accounts)
  return others.length === 0 ? zone : DEFAULT_CUT_OFF.timeZone
}

/** The time zones of reports about some accounts, or about all. */
export async function reportZones(
  { tx: { db } }: Work,
  accounts: ReportAccounts,
): Promise<readonly string[]> {
  if (accounts?.length === 0) return []
  const rows = await db
    .selectFrom('accounts as a')
    .leftJoin('orgs as o', (join) =>
      join.onRef('o.id', '=', 'a.parent_org_id').on('o.deleted_at', 'is', null),
    )
    .select('o.timezone')
    .distinct()
    .where('a.type', '=', 'processing')
    .where('a.deleted_at', 'is', null)
    .$if(accounts !== undefined, (query) => query.where('a.id', 'in', [...(accounts ?? [])]))
    .execute()
  const zones = new Set(rows.map(({ timezone }) => timezone ?? DEFAULT_CUT_OFF.timeZone))
  return [...(zones.size > 1 ? zones.add(DEFAULT_CUT_OFF.timeZone) : zones)]
}
