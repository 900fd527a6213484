/** A row that breaks a rule of money, with the problem in words. */
export interface Finding {
  readonly check: string
  readonly id: string
  readonly problem: string
}

/**
 * Findings of a row. Rules may come as a function. If the function throws, the row holds a value that no rule can
 * read, such as a day that does not exist. This is a finding too, and verification goes on.
 */
export function findingsOf(
  check: string,
  id: string,
  problems: readonly string[] | (() => readonly string[]),
): Finding[] {
  const found = typeof problems === 'function' ? readable(problems) : problems
  return found.map((problem) => ({ check, id, problem }))
}

function readable(problems: () => readonly string[]): readonly string[] {
  try {
    return problems()
  } catch (error) {
    return [`It holds a value that cannot be read: ${error instanceof Error ? error.message : String(error)}`]
  }
}
