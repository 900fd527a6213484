import { resolve } from 'node:path'
import type { Environment } from '../../../engine/store/database/store.js'
import { UsageError } from '../failure/failure.js'
import { readAddressText } from '../input/address-text.js'
import { absolute, platformHome, type Variables } from '../input/platform-home.js'
import { type Credential, environmentOfKey, type GivenKey, readKey } from './credential.js'
import type { Profile, Profiles, SpendingLimit } from './profile.js'
import { servedAddress } from './served-address.js'

/** A setting, and where it came from. */
export interface Setting<T> {
  readonly value: T
  readonly from: string
}

/** Settings of a command, each with its origin. */
export interface Settings {
  readonly profile?: Setting<string>
  readonly environment: Setting<Environment>
  readonly home: Setting<string>
  /** `postgres://…`; undefined: SQLite in the home folder. */
  readonly databaseUrl?: Setting<string>
  /** The address of the `serve` to use; undefined: the database is used directly. */
  readonly server?: Setting<string>
  readonly key?: Credential
  /** The public address of pages; undefined: that of `serve`. */
  readonly publicAddress?: Setting<string>
  /** Limits on moving money. */
  readonly limit: SpendingLimit
}

/** The values of flags; undefined for flags that were not typed. */
export interface Given extends GivenKey {
  readonly environment?: Environment | undefined
  readonly profile?: string | undefined
  readonly server?: string | undefined
}

/** Name that selects no profile: only variables and defaults apply. */
export const NO_PROFILE = 'default'

/**
 * The folder of profiles, and of the database unless a profile names another folder. Throws a `UsageError`
 * for a relative path.
 */
export function homeOf({ PAYCTL_HOME: home, ...variables }: Variables): Setting<string> {
  const named = absolute('PAYCTL_HOME', home)
  if (named !== undefined) return { value: resolve(named), from: 'PAYCTL_HOME' }
  return { value: platformHome(process.platform, variables), from: 'default' }
}

/** The folder of the SQLite databases. Throws a `UsageError` for PostgreSQL, which has its own tools. */
export function sqliteHome({ home, databaseUrl }: Settings, tool: 'pg_dump' | 'pg_restore'): string {
  if (!databaseUrl) return home.value
  throw new UsageError(
    `The database is PostgreSQL's (${databaseUrl.from}): use ${tool} --schema=payctl_test --schema=payctl_live; the keys are exported by payctl vault export${tool === 'pg_restore' ? ', and payctl gateways catch-up --since asks gateways what a restored copy has forgotten' : ''}`,
  )
}

/**
 * The settings of this process. Flags come first, with a profile named by a flag; then variables, then the
 * current profile, then defaults. A server and a key in a profile belong together, so that no key reaches
 * another server. Throws a `UsageError` for a profile that does not exist, and for a key that cannot be
 * read.
 */
export async function settingsOf(given: Given, variables: Variables, kept: Profiles): Promise<Settings> {
  const chosen = chooseProfile(given, variables, kept)
  const { server, ...local } = targetOf(given, variables, chosen)
  const key = server && (await readKey(given, variables, server.profile))
  const { PAYCTL_PUBLIC_URL: address } = variables
  const { max_amount, verbs } = chosen?.profile ?? {}
  return {
    ...(chosen && { profile: { value: chosen.name, from: chosen.from } }),
    environment: environmentOf(given, variables, chosen, key),
    ...local,
    ...(server && { server: { value: server.value, from: server.from } }),
    ...(key && { key }),
    ...(address && {
      publicAddress: { value: named('PAYCTL_PUBLIC_URL', address), from: 'PAYCTL_PUBLIC_URL' },
    }),
    limit: { ...(max_amount !== undefined && { max_amount }), ...(verbs && { verbs }) },
  }
}

interface Chosen {
  readonly name: string
  readonly profile: Profile
  readonly from: string
  /** Whether a flag named the profile, so that it takes precedence over variables. */
  readonly first: boolean
  /** Text by which `whoami` names the profile as the origin of a setting. */
  readonly origin: string
}

function chooseProfile({ profile: flag }: Given, variables: Variables, kept: Profiles): Chosen | undefined {
  const variable = variables.PAYCTL_PROFILE || undefined
  const name = flag ?? variable ?? kept.current ?? NO_PROFILE
  if (name === NO_PROFILE) return undefined
  const profile = Object.hasOwn(kept.profiles, name) ? kept.profiles[name] : undefined
  if (!profile) throw new UsageError(`There is no profile ${name}; see payctl profiles list`)
  const from = variable === undefined ? 'profiles use' : 'PAYCTL_PROFILE'
  return {
    name,
    profile,
    first: flag !== undefined,
    origin: `profile ${name}`,
    from: flag === undefined ? from : '--profile',
  }
}

interface Target {
  readonly home: Setting<string>
  readonly databaseUrl?: Setting<string>
  /** The server, with the profile that names it and may contain its key. */
  readonly server?: Setting<string> & { readonly profile?: Profile & { readonly origin: string } }
}

function targetOf(given: Given, variables: Variables, chosen: Chosen | undefined): Target {
  const home = homeOf(variables)
  if (given.server !== undefined) return { home, server: { value: given.server, from: '--server' } }
  const kept = chosen && keptTarget(chosen, home)
  if (kept && chosen.first) return kept
  const { PAYCTL_SERVER: server, PAYCTL_DATABASE_URL: url } = variables
  if (server) return { home, server: { value: named('PAYCTL_SERVER', server), from: 'PAYCTL_SERVER' } }
  if (url) return { home, databaseUrl: { value: url, from: 'PAYCTL_DATABASE_URL' } }
  return kept ?? { home }
}

/** An address in a variable. Throws a `UsageError` that names the variable. */
function named(variable: string, text: string): string {
  try {
    return readAddressText(text)
  } catch (error) {
    throw new UsageError(`${variable}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The server or database of a profile; undefined if it names none. */
function keptTarget({ profile, origin: from }: Chosen, home: Setting<string>): Target | undefined {
  const { server, home: folder, database_url: url } = profile
  if (server !== undefined)
    return { home, server: { value: server, from, profile: { ...profile, origin: from } } }
  if (folder === undefined && url === undefined) return undefined
  return {
    home: folder === undefined ? home : { value: folder, from },
    ...(url !== undefined && { databaseUrl: { value: url, from } }),
  }
}

/**
 * The environment. A key determines it, because each key belongs to one environment. Throws a `UsageError`
 * if another environment is requested.
 */
function environmentOf(
  given: Given,
  variables: Variables,
  chosen: Chosen | undefined,
  key: Credential | undefined,
): Setting<Environment> {
  const requested = requestedEnvironment(given, variables, chosen)
  if (!key) return requested ?? { value: 'test', from: 'default' }
  const value = environmentOfKey(key.value)
  if (requested && requested.value !== value)
    throw new UsageError(
      `The key (${key.from}) belongs to the ${value} environment, but ${requested.from} says ${requested.value}`,
    )
  return { value, from: `key (${key.from})` }
}

function requestedEnvironment(
  given: Given,
  variables: Variables,
  chosen: Chosen | undefined,
): Setting<Environment> | undefined {
  if (given.environment) return { value: given.environment, from: '--env' }
  const kept = chosen?.profile.environment
  const ofProfile = kept && { value: kept, from: chosen.origin }
  if (ofProfile && chosen.first) return ofProfile
  const { PAYCTL_ENV: variable } = variables
  if (variable === 'test' || variable === 'live') return { value: variable, from: 'PAYCTL_ENV' }
  return ofProfile
}

/** The database as shown to people, without a password. */
export function shownDatabase({ databaseUrl }: Settings): Setting<string> {
  if (!databaseUrl) return { value: 'SQLite in the home folder', from: 'default' }
  return { ...databaseUrl, value: withoutPassword(databaseUrl.value) }
}

/**
 * Masks the password in a database address: before the `@` of the host, or among the parameters. In a text
 * that is no valid address, everything before the last `@` is masked.
 */
export function withoutPassword(url: string): string {
  const password = URL.canParse(url) ? /(\/\/[^:@/?#]*):[^/?#]*@/ : /(\/\/[^:@/]*):.*@/
  return url.replace(password, '$1:***@').replace(/(password\s*=\s*)[^&]+/gi, '$1***')
}

/** Port on which `serve` listens by default. */
const PORT = '4242'

/**
 * The address of the `payctl serve` whose pages and endpoints are used. Throws a `UsageError` for an
 * invalid `PAYCTL_PORT`.
 */
export function serverOf(settings: Settings, variables: Variables): string {
  return settings.server?.value ?? linkAddress(settings, variables)?.value ?? `http://127.0.0.1:${PORT}`
}

/**
 * The address that links for payers begin with. The public address is used first, then the local port in `PAYCTL_PORT`,
 * then the address that `serve` has stored in the home folder. Undefined if none of these is set. Throws a `UsageError`
 * for a wrong port.
 */
export function linkAddress(
  { home, publicAddress }: Settings,
  variables: Variables,
): Setting<string> | undefined {
  if (publicAddress) return publicAddress
  const { PAYCTL_PORT: port } = variables
  if (port) return { value: `http://127.0.0.1:${portIn(port)}`, from: 'PAYCTL_PORT' }
  const left = servedAddress(home.value)
  return left === undefined ? undefined : { value: left, from: 'serve' }
}

function portIn(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port > 0 && port < 65_536) return port
  throw new UsageError(`Expected a port in PAYCTL_PORT, but received: ${text}`)
}
