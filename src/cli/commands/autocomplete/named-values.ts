import { batchKinds } from '../../../resources/batch-kinds.js'
import { NO_PROFILE } from '../../terminal/profiles/settings.js'
import { KEPT_SETTINGS } from '../../terminal/start/configuration.js'
import { ALIAS } from '../config/saved-settings.js'
import type { SavedNames } from './saved-names.js'

/** Completions for the value of a flag that names a profile, a batch or a kind of rows; undefined for other flags. */
export function namedValues(flag: string, { profiles, batches }: SavedNames): readonly string[] | undefined {
  switch (flag) {
    case 'profile':
      return [...profiles, NO_PROFILE]
    case 'batch-id':
      return batches
    case 'as':
      return [...batchKinds.keys()]
    default:
      return undefined
  }
}

/** Completions for the next argument of a command, after `before`. */
export function argumentsOf(
  id: string,
  before: readonly string[],
  { aliases, profiles, batches }: SavedNames,
): readonly string[] {
  const isFirst = before.length === 0
  switch (id) {
    case 'profiles:use':
      return isFirst ? [...profiles, NO_PROFILE] : []
    case 'profiles:remove':
      return isFirst ? profiles : []
    case 'batch:resume':
    case 'batch:results':
      return isFirst ? batches : []
    case 'config:get':
    case 'config:unset':
    case 'config:set': {
      const settings = KEPT_SETTINGS.map(({ name }) => name)
      if (isFirst) return [...settings, ...Object.keys(aliases).map((alias) => ALIAS + alias)]
      return KEPT_SETTINGS.find(({ name }) => id === 'config:set' && name === before[0])?.values ?? []
    }
    default:
      return []
  }
}
