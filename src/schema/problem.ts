/** Why a value was not understood, in the words of the interface's `details`. */
export class Problem {
  constructor(readonly message: string) {}
}

/** What the details say of an id that no object has, or none that the caller may see. */
export const NOT_FOUND = 'Not found'

/** What they say of what cannot be an id. */
export const NO_ID = 'Must be valid id'
