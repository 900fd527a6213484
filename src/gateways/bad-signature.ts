const NAME = 'BadSignature'

/** A notification that does not come from the gateway. */
export class BadSignature extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = NAME
  }
}

/** Compares the name, as a rail may be loaded from a file that has the class again. */
export function isBadSignature(error: unknown): boolean {
  return error instanceof Error && error.name === NAME
}
