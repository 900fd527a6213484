import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import { waitForName } from '../../engine/store/database/differences.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { OrgRow } from '../../engine/store/database/tables.js'
import { type CutOff, DEFAULT_CUT_OFF } from '../../platform/calendar/cut-off.js'
import { isTimeZone } from '../../platform/calendar/zone.js'
import { resources } from '../../resources/resource-table.js'
import { readDataUrl } from '../../schema/data-url.js'
import type { Input, InputFor } from '../../schema/types.js'
import { newSettings, refuseNamedSettings, refuseOtherSettings } from './processing-settings-rule.js'

/** Recalculates the due times of a processing account's invoices and schedules, after its time zone has changed. */
export type MoveDays = (work: Work, processingId: string) => Promise<void>

/**
 * Rule of organizations. Spec: "Org". `settings` are the default processing settings, which a new organization gets
 * unless others are sent.
 */
export function orgRule(settings: Input, moveDays: MoveDays): Rule<typeof resources.org> {
  return {
    async create(work, input) {
      refuseUnknownZone(input)
      refuseOtherLogo(input)
      refuseNamedSettings(work, input.processing_settings, undefined, ['processing_settings'])
      const row = await work.createPlainly(resources.org, { ...input })
      if (row.processing_settings_id !== null) return row
      return await work.change(resources.org, row.id, await newSettings(work, settings))
    },

    async update(work, row, input) {
      refuseUnknownZone(input)
      refuseOtherLogo(input)
      refuseOtherSettings(work, input.processing_settings, row.processing_settings_id, [
        'processing_settings',
      ])
      const changed = await work.updatePlainly(resources.org, row, { ...input })
      if (changed.parent_org_id !== row.parent_org_id) await refuseCycle(work, changed)
      if (changed.timezone !== row.timezone)
        for (const { id } of await work.tx.run(processingAccountsOf, { orgId: row.id }))
          await moveDays(work, id)
      return changed
    },

    /** Granted access to the organization is deleted with it, even for accounts that the caller does not see. */
    async delete(work, row) {
      const [member] = await work.tx.run(memberOf, { orgId: row.id })
      if (member)
        throw invalidAttributes({ id: `An organization that ${member.kind} belong to is not deleted` })
      await work.asSystem(async () => {
        for (const access of await work.findBy(resources.account_access, 'org_id', row.id))
          await work.deletePlainly(resources.account_access, access)
      })
      await work.deletePlainly(resources.org, row)
    },
  }
}

function refuseUnknownZone({ timezone }: InputFor<typeof resources.org>): void {
  if (timezone && !isTimeZone(timezone))
    throw invalidAttributes({ timezone: 'Must be a time zone, as in America/New_York' })
}

/** Refuses a logo that pages would load from elsewhere, or an image that could hold a script. */
function refuseOtherLogo({ logo }: InputFor<typeof resources.org>): void {
  if (!logo) return
  const isImage = /^data:image\/(png|jpeg|gif|webp);base64,/.test(logo) && readDataUrl(logo)
  if (!isImage) throw invalidAttributes({ logo: 'Must be a data: URL of a PNG, JPEG, GIF or WebP image' })
}

/** Refuses an organization as its own ancestor, even through organizations that the caller does not see. */
async function refuseCycle(work: Work, row: OrgRow): Promise<void> {
  // Two concurrent changes could close a cycle that neither sees.
  await waitForName(work.tx, 'parents of organizations')
  // Another object of the same list may have closed a cycle already; then that object is refused.
  const seen = new Set<string>()
  let above = row.parent_org_id
  while (above !== null && !seen.has(above)) {
    if (above === row.id) throw invalidAttributes({ parent_org_id: 'Belongs to this organization' })
    seen.add(above)
    above = (await work.tx.run(parentOf, { id: above }))[0]?.parent_org_id ?? null
  }
}

const parentOf = prepared<{ id: string }, { parent_org_id: string | null }>((db, param) =>
  db.selectFrom('orgs').select('parent_org_id').where('id', '=', param('id')).where('deleted_at', 'is', null),
)

const processingAccountsOf = prepared<{ orgId: string }, { id: string }>((db, param) =>
  db
    .selectFrom('accounts')
    .select('id')
    .where('parent_org_id', '=', param('orgId'))
    .where('type', '=', 'processing')
    .where('deleted_at', 'is', null),
)

/** An account or organization that belongs to an organization, even if the caller cannot see it. */
const memberOf = prepared<{ orgId: string }, { kind: string }>((db, param) =>
  db
    .selectFrom('accounts')
    .select((eb) => eb.val('accounts').as('kind'))
    .where('parent_org_id', '=', param('orgId'))
    .where('deleted_at', 'is', null)
    .unionAll(
      db
        .selectFrom('orgs')
        .select((eb) => eb.val('organizations').as('kind'))
        .where('parent_org_id', '=', param('orgId'))
        .where('deleted_at', 'is', null),
    )
    .limit(1),
)

/**
 * The time zone of a processing account's organization, if it has one. Read past the caller's scope: days end at the
 * same time for a key that cannot see the organization.
 */
async function timeZoneOf(work: Work, processingId: string): Promise<string | undefined> {
  const [org] = await work.tx.run(zoneOfAccount, { processingId })
  return org?.timezone ?? undefined
}

/** The time at which the business days of a processing account end. See docs/money.md, "Cut-off and deposits". */
export async function cutOffOf(work: Work, processingId: string): Promise<CutOff> {
  const timeZone = await timeZoneOf(work, processingId)
  return timeZone === undefined ? DEFAULT_CUT_OFF : { ...DEFAULT_CUT_OFF, timeZone }
}

const zoneOfAccount = prepared<{ processingId: string }, { timezone: string | null }>((db, param) =>
  db
    .selectFrom('accounts')
    .innerJoin('orgs', 'orgs.id', 'accounts.parent_org_id')
    .select('orgs.timezone')
    .where('accounts.id', '=', param('processingId'))
    .where('orgs.deleted_at', 'is', null),
)
