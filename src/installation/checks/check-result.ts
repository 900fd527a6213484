/** What a check came to. */
export interface CheckResult {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly found: string
  /** The command that fixes it; nothing where all is well. Named so in what `payctl doctor` prints. */
  readonly mend: string | null
}

export function passed(check: string, found: string): CheckResult {
  return { check, state: 'ok', found, mend: null }
}

export function warning(check: string, found: string, fix: string): CheckResult {
  return { check, state: 'warning', found, mend: fix }
}

export function failed(check: string, found: string, fix: string): CheckResult {
  return { check, state: 'failed', found, mend: fix }
}

/** A path as a shell takes it. */
export function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
