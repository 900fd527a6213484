/**
 * Error of a home that cannot be copied, restored or changed. The message gives the reason and the remedy.
 */
export class InstallationError extends Error {
  override readonly name = 'InstallationError'
  /** `not_found`: the object that the operator named does not exist. */
  readonly problem: 'not_found' | undefined

  constructor(message: string, options: ErrorOptions & { readonly problem?: 'not_found' } = {}) {
    super(message, options)
    this.problem = options.problem
  }
}
