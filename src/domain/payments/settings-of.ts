import type { Work } from '../../engine/core/write/work.js'
import type { AccountRow, ProcessingSettingsRow } from '../../engine/store/database/tables.js'

/** The settings of a processing account, which has them from the beginning. */
export async function settingsOf(
  work: Work,
  { id, processing_settings_id: settingsId }: Pick<AccountRow, 'id' | 'processing_settings_id'>,
): Promise<ProcessingSettingsRow> {
  const settings = settingsId === null ? undefined : await work.find('processing_settings', settingsId)
  if (!settings) throw new Error(`Processing account ${id} has no settings`)
  return settings
}
