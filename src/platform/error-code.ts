/**
 * Code that a driver or the operating system gave an error. For several errors, one per tried address, it
 * is the code of the first.
 */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code
  return error instanceof AggregateError ? codeOf(error.errors[0]) : undefined
}
