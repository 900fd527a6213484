/** Returns the error with which a promise rejects. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise
  } catch (error) {
    if (error instanceof Error) return error
    throw new TypeError(`Rejected with what is no error: ${String(error)}`)
  }
  throw new Error('It was expected to be refused')
}
