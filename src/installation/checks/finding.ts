/** What a check came to. */
export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly found: string
  /** The command that mends it; nothing where all is well. */
  readonly mend: string | null
}

export function well(check: string, found: string): Finding {
  return { check, state: 'ok', found, mend: null }
}

export function warning(check: string, found: string, mend: string): Finding {
  return { check, state: 'warning', found, mend }
}

export function failed(check: string, found: string, mend: string): Finding {
  return { check, state: 'failed', found, mend }
}

/** A path as a shell takes it. */
export function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
