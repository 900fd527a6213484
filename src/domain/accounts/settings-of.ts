import { detailsUnder } from '../../engine/core/request/details.js'
import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
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
