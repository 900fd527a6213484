import { resolve } from 'node:path'
import type { Environment } from '../core/work.js'
import { readAddressText } from './address.js'
import { platformHome, type Variables } from './home.js'

/** A setting, and where it came from. */
export interface Setting<T> {
  readonly value: T
  readonly from: string
}

/** What a command works on. */
export interface Settings {
  readonly environment: Setting<Environment>
  readonly home: Setting<string>
  /** `postgres://…`; nothing: SQLite in the home folder. */
  readonly databaseUrl?: Setting<string>
  /** The address that people reach the pages at; nothing: that of `serve`. */
  readonly publicAddress?: Setting<string>
}

/** The settings of this process: flags, then variables, then defaults. */
export function settingsOf(
  environment: Environment,
  environmentGiven: boolean,
  variables: Variables,
): Settings {
  const { PAYCTL_HOME: home, PAYCTL_DATABASE_URL: url, PAYCTL_PUBLIC_URL: address } = variables
  return {
    environment: { value: environment, from: environmentOrigin(environmentGiven, variables) },
    home: home
      ? { value: resolve(home), from: 'PAYCTL_HOME' }
      : { value: platformHome(process.platform, variables), from: 'default' },
    ...(url && { databaseUrl: { value: url, from: 'PAYCTL_DATABASE_URL' } }),
    ...(address && { publicAddress: { value: readAddressText(address), from: 'PAYCTL_PUBLIC_URL' } }),
  }
}

function environmentOrigin(given: boolean, variables: Variables): string {
  if (given) return '--env'
  return variables.PAYCTL_ENV ? 'PAYCTL_ENV' : 'default'
}

/** The database as people may see it: no password. */
export function shownDatabase({ databaseUrl }: Settings): Setting<string> {
  if (!databaseUrl) return { value: 'SQLite in the home folder', from: 'default' }
  return { ...databaseUrl, value: databaseUrl.value.replace(/(\/\/[^:@/]*):[^@/]*@/, '$1:***@') }
}
