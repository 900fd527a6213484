/**
 * Checks every case of a table, one after the other, and does not stop at a failure. Throws one error that names each
 * case that failed and says why. A table without cases fails as well.
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
