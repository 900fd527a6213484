/** Exit codes of all commands. Spec: Terminal, rule 8. */
export const EXIT = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  validation: 3,
  access: 4,
  notFound: 5,
  conflict: 6,
  declined: 7,
  partly: 8,
  unavailable: 9,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Meanings of exit codes, printed by `payctl help exit-codes`. */
export const MEANINGS: readonly (readonly [code: ExitCode, meaning: string])[] = [
  [EXIT.ok, 'it is done'],
  [
    EXIT.unexpected,
    'something unexpected happened, or the answer could not be written: stderr says what was done',
  ],
  [EXIT.usage, 'the command was not understood: unknown or missing flags and arguments'],
  [EXIT.validation, 'attributes were refused; each is named'],
  [EXIT.access, 'no valid key, or it may not do this'],
  [EXIT.notFound, 'there is no such object or path'],
  [EXIT.conflict, 'the object is in use or in another state, or an idempotency key was used before'],
  [EXIT.declined, 'the payment was declined; it is stored'],
  [EXIT.partly, 'some rows failed, were declined or break a rule'],
  [EXIT.unavailable, 'too many requests, or the database is locked, full or out of reach'],
  [EXIT.interrupted, 'interrupted'],
]

/** Exit code of an answer that is an error. */
export function exitCodeOf(status: number, errorType: unknown): ExitCode {
  if (errorType === 'TransactionDeclined') return EXIT.declined
  switch (status) {
    case 401:
    case 403:
      return EXIT.access
    case 404:
      return EXIT.notFound
    case 409:
    case 422:
      return EXIT.conflict
    case 429:
    case 503:
      return EXIT.unavailable
    default:
      return status < 500 ? EXIT.validation : EXIT.unexpected
  }
}
