/** A row that breaks a rule of money, and how, in words. */
export interface Finding {
  readonly check: string
  readonly id: string
  readonly problem: string
}

/**
 * The findings of a row. Rules are asked by a function, as a row may hold what no rule can read (a day that there is not):
 * that is a finding, and keeps nothing else from being looked at.
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
    return [`It holds what cannot be read: ${error instanceof Error ? error.message : String(error)}`]
  }
}
