import type { Work } from '../../engine/core/write/work.js'
import type { AccountRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'

/** The organization of a processing account, as payers see it. */
export interface ShownOrganization {
  readonly name: string
  /** A `data:` URL of an image. */
  readonly logo: string | undefined
}

/** The organization of an account; undefined if the account has none. */
export async function organizationOf(
  work: Work,
  account: Pick<AccountRow, 'parent_org_id'> | undefined,
): Promise<ShownOrganization | undefined> {
  const org = account?.parent_org_id ? await work.find(resources.org, account.parent_org_id) : undefined
  return org && { name: org.name ?? org.id, logo: org.logo ?? undefined }
}
