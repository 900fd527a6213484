/** Reason why a value is invalid, in the words of `details` in the API's errors. */
export class Problem {
  constructor(readonly message: string) {}
}

/** Message for an id that no object has, or none that the caller may see. */
export const NOT_FOUND = 'Not found'

/** Message for a text that cannot be an id. */
export const NO_ID = 'Must be valid id'
