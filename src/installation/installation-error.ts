/** A home cannot be copied, restored or changed. The message says why, and what to do. */
export class InstallationError extends Error {
  override readonly name = 'InstallationError'
  /** `not_found`: what the operator named does not exist. */
  readonly problem: 'not_found' | undefined

  constructor(message: string, options: ErrorOptions & { readonly problem?: 'not_found' } = {}) {
    super(message, options)
    this.problem = options.problem
  }
}
