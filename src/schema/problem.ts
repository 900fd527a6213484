/** Why a value was not understood, in the words of the interface's `details`. */
export class Problem {
  constructor(readonly message: string) {}
}
