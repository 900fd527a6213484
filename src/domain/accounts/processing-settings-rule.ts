import { ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import { detailsUnder } from '../../engine/core/request/error-details.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import type { AccountRow, ProcessingSettingsRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { Input } from '../../schema/types.js'

/**
 * Rule of processing settings. Spec: "Processing settings". They are made and deleted with their processing account
 * or organization.
 */
export const processingSettingsRule: Rule<typeof resources.processing_settings> = {
  async create(work, input) {
    refuseWithoutManage(work)
    refusePrefix(input.invoice_prefix)
    return await work.createPlainly(resources.processing_settings, { ...input })
  },

  async update(work, row, input) {
    refusePrefix(input.invoice_prefix)
    return await work.updatePlainly(resources.processing_settings, row, { ...input })
  },

  async delete(work, row) {
    refuseWithoutManage(work)
    for (const owner of [resources.account, resources.org]) {
      const owners = await work.findBy(owner, 'processing_settings_id', row.id)
      if (owners.length > 0)
        throw invalidAttributes({ id: 'Settings of a processing account or organization are not deleted' })
    }
    await work.deletePlainly(resources.processing_settings, row)
  },
}

/** Refuses a prefix of invoice numbers if a number could be confused with an id, or has unsuitable characters. */
function refusePrefix(prefix: string | null | undefined): void {
  if (prefix && (!/^[A-Za-z0-9_-]+$/.test(prefix) || prefix.startsWith(resources.invoice.prefix)))
    throw invalidAttributes({
      invoice_prefix: 'Must have letters, digits, - and _ only, and not begin as an id',
    })
}

function refuseWithoutManage({ principal }: Work): void {
  if (!principal.manage) throw new ApiError('Forbidden', 'Processing settings need the permission manage')
}

/**
 * Creates the default settings of an account or organization that has none. The caller needs no permission for that.
 */
export async function newSettings(work: Work, defaults: Input): Promise<{ processing_settings_id: string }> {
  const { id } = await work.createPlainly(resources.processing_settings, defaults)
  return { processing_settings_id: id }
}

/**
 * Refuses to remove settings, or to replace them without `manage`, as the operator has set them. `path` is their
 * place in the input. Throws `InvalidAttributes`.
 */
export function refuseOtherSettings(
  work: Work,
  settings: Input | null | undefined,
  current: string | null,
  path: readonly string[],
): void {
  if (settings === null) throw refused(path, 'Required')
  if (settings && (settings.id ?? null) === null && !work.principal.manage) throw refused(path, 'Read only')
  refuseNamedSettings(work, settings, current, path)
}

/** Refuses settings that are named by an id, unless they are the current ones or the caller has `manage`. */
export function refuseNamedSettings(
  { principal }: Work,
  settings: Input | null | undefined,
  current: string | null | undefined,
  path: readonly string[],
): void {
  const id = settings?.id ?? null
  if (id !== null && id !== current && !principal.manage) throw refused(path, 'Read only')
}

function refused(path: readonly string[], problem: string): ApiError {
  return invalidAttributes(detailsUnder(path.slice(0, -1), { [path.at(-1) ?? '']: problem }))
}

/**
 * The settings of a processing account. Throws an error if there are none, since every account gets settings when it
 * is created.
 */
export async function processingSettingsOf(
  work: Work,
  { id, processing_settings_id: settingsId }: Pick<AccountRow, 'id' | 'processing_settings_id'>,
): Promise<ProcessingSettingsRow> {
  const settings =
    settingsId === null ? undefined : await work.find(resources.processing_settings, settingsId)
  if (!settings) throw new Error(`Processing account ${id} has no settings`)
  return settings
}
