import process from 'node:process'
import { UsageError } from '../../terminal/failure/failure.js'
import { StandardInput } from '../../terminal/input/stdin.js'
import { loadProfiles } from '../../terminal/profiles/profile-store.js'
import { homeOf, type Settings, settingsOf } from '../../terminal/profiles/settings.js'
import { loadConfiguration } from '../../terminal/start/configuration.js'

/** Names that users have chosen. */
export interface SavedNames {
  /** The words that replace each alias. */
  readonly aliases: Readonly<Record<string, string>>
  readonly profiles: readonly string[]
  /** Names of the newest batches; read only if the word to complete names a batch. */
  readonly batches: readonly string[]
}

export const NO_NAMES: SavedNames = { aliases: {}, profiles: [], batches: [] }

/** Milliseconds within which a server must answer a completion. */
const PATIENCE = 2_000

/** Names saved in a home. Names in damaged settings are omitted, because a completion must not fail. */
export async function savedNames(withBatches: boolean): Promise<SavedNames> {
  const home = tolerant(() => homeOf(process.env).value)
  if (home === undefined) return NO_NAMES
  return {
    aliases: tolerant(() => loadConfiguration(home).aliases) ?? {},
    profiles: Object.keys(tolerant(() => loadProfiles(home).profiles) ?? {}),
    batches: withBatches ? await batchNames(home) : [],
  }
}

function tolerant<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

/** Names of the newest batches; empty if the database or the server does not answer. */
async function batchNames(home: string): Promise<readonly string[]> {
  try {
    const stdin = new StandardInput(() => process.stdin)
    const settings = await settingsOf({ stdin }, process.env, loadProfiles(home))
    const client = await clientOf(settings)
    try {
      const { body } = await client.send({ method: 'GET', path: '/admin/batches' })
      const batches = Array.isArray(body.batches) ? body.batches : []
      const names = batches.flatMap((one) => (isNamed(one) ? [String(one.id)] : []))
      // Control characters would break the lines of completions, or act on the terminal.
      return names.filter((name) => !/\p{Cc}/u.test(name))
    } finally {
      await client.close()
    }
  } catch {
    return []
  }
}

async function clientOf(settings: Settings) {
  if (!settings.server) {
    const { localClient } = await import('../../terminal/local/local-client.js')
    return await localClient(settings)
  }
  const { openRemoteClient, remoteOf } = await import('../../terminal/remote/remote-client.js')
  const remote = remoteOf(settings, process.env)
  return await openRemoteClient({ ...remote, patience: PATIENCE, retries: 0, say: () => undefined })
}

function isNamed(value: unknown): value is { readonly id: unknown } {
  return typeof value === 'object' && value !== null && 'id' in value
}
