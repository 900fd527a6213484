import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'

/**
 * The time zone of the organization that a processing account belongs to; nothing where it has none. It is read
 * whoever asks: days end when they end, also for a key that cannot see the organization.
 */
export async function timeZoneOf(work: Work, processingId: string): Promise<string | undefined> {
  const [org] = await work.tx.run(zoneOfAccount, { processingId })
  return org?.timezone ?? undefined
}

const zoneOfAccount = prepared<{ processingId: string }, { timezone: string | null }>((db, param) =>
  db
    .selectFrom('accounts')
    .innerJoin('orgs', 'orgs.id', 'accounts.parent_org_id')
    .select('orgs.timezone')
    .where('accounts.id', '=', param('processingId'))
    .where('orgs.deleted_at', 'is', null),
)
