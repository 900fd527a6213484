import type { FlagInput } from '@oclif/core/interfaces'
import type { FlagDescription } from '../../../schema/flag-description.js'
import type { JsonObject, QueryPair } from '../../terminal/client/client.js'
import type { GivenFlags } from '../../terminal/command/collect-input.js'
import type { Settings } from '../../terminal/profiles/settings.js'

/** Flags that a command has besides the derived flags, and a function that sets their attributes in the body. */
export interface Addition {
  readonly flags: FlagInput
  /** Names of the derived flags that these flags replace. */
  readonly instead: readonly string[]
  /** Returns the body of a request, completed with values of these flags and facts about this machine. */
  complete(body: JsonObject, given: GivenFlags, surroundings: Surroundings): Promise<JsonObject>
}

/** Context of a command: its settings, a function that reads objects, and the id of the changed object. */
export interface Surroundings {
  readonly settings: Settings
  readonly read: (path: string, query: readonly QueryPair[]) => Promise<JsonObject>
  /** Id of the object that is changed; undefined for a new one. */
  readonly id?: string
}

/** The derived flags that an addition does not replace. */
export function remaining(
  descriptions: readonly FlagDescription[],
  { instead }: Addition,
): readonly FlagDescription[] {
  return descriptions.filter(({ name }) => !instead.includes(name))
}

/** Empty addition, for commands whose flags are all derived from the declaration. */
export const NO_ADDITION: Addition = { flags: {}, instead: [], complete: async (body) => body }
