const NAME = 'BadSignature'

/** A notification without a valid signature of the gateway; the HTTP server refuses it. */
export class BadSignature extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = NAME
  }
}

/** Whether an error is a `BadSignature`. Compares names, not classes: a rail may bundle its own copy of the class. */
export function isBadSignature(error: unknown): boolean {
  return error instanceof Error && error.name === NAME
}
