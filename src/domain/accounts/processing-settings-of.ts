import { detailsUnder } from '../../engine/core/request/details.js'
import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
import type { AccountRow, ProcessingSettingsRow } from '../../engine/store/database/tables.js'
import type { Input } from '../../schema/types.js'

/** New settings for who has none yet: the defaults, which need no permission. */
export async function newSettings(work: Work, defaults: Input): Promise<{ processing_settings_id: string }> {
  const { id } = await work.createPlainly('processing_settings', defaults)
  return { processing_settings_id: id }
}

/**
 * Whoever has settings keeps them: new ones in their place would forget what the operator has set. `path` is where
 * they stand. Throws `InvalidAttributes`.
 */
export function refuseOtherSettings(
  { principal }: Work,
  settings: Input | null | undefined,
  path: readonly string[],
): void {
  const refuse = (problem: string) =>
    invalidAttributes(detailsUnder(path.slice(0, -1), { [path.at(-1) ?? '']: problem }))
  if (settings === null) throw refuse('Required')
  if (settings && (settings.id ?? null) === null && !principal.manage) throw refuse('Read only')
}

/** The settings of a processing account, which has them from the beginning. */
export async function settingsOf(
  work: Work,
  { id, processing_settings_id: settingsId }: Pick<AccountRow, 'id' | 'processing_settings_id'>,
): Promise<ProcessingSettingsRow> {
  const settings = settingsId === null ? undefined : await work.find('processing_settings', settingsId)
  if (!settings) throw new Error(`Processing account ${id} has no settings`)
  return settings
}
