/** A row that breaks a rule of money, and how, in words. */
export interface Finding {
  readonly check: string
  readonly id: string
  readonly problem: string
}

export function findingsOf(check: string, id: string, problems: readonly string[]): Finding[] {
  return problems.map((problem) => ({ check, id, problem }))
}
