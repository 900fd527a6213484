/**
 * Checks every case of a table, one after the other, without stopping at a failure. Throws one error with
 * each failed case and its reason. A table without cases fails, too.
 */
export async function eachCase<Case>(
  cases: readonly Case[],
  nameOf: (one: Case) => string,
  check: (one: Case) => void | Promise<void>,
): Promise<void> {
  if (cases.length === 0) throw new Error('The table has no cases')
  const failures: Error[] = []
  for (const one of cases)
    try {
      await check(one)
    } catch (cause) {
      failures.push(new Error(nameOf(one), { cause }))
    }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of ${cases.length} cases fail`)
}
