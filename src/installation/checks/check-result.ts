import { restoreTool } from '../../engine/store/database/differences.js'
import type { SqlDialect } from '../../engine/store/database/store.js'

/** Result of a check. */
export interface CheckResult {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly found: string
  /** Command that fixes the problem; null if there is none. `payctl doctor` prints it as `fix`. */
  readonly fix: string | null
}

export function passed(check: string, found: string): CheckResult {
  return { check, state: 'ok', found, fix: null }
}

export function warning(check: string, found: string, fix: string): CheckResult {
  return { check, state: 'warning', found, fix }
}

export function failed(check: string, found: string, fix: string): CheckResult {
  return { check, state: 'failed', found, fix }
}

/** Command that restores the database from a backup. */
export function restoreFix(dialect: SqlDialect): string {
  const tool = restoreTool(dialect)
  return dialect === 'postgres'
    ? `${tool} --clean --if-exists --dbname="$PAYCTL_DATABASE_URL" <file>`
    : `${tool} <folder> --yes`
}
