/** Why a home cannot be copied, restored or changed; the message is one sentence on what to do. */
export class InstallationError extends Error {
  override readonly name = 'InstallationError'
  /** `not_found`: what was named is not there. */
  readonly problem: 'not_found' | undefined

  constructor(message: string, options: ErrorOptions & { readonly problem?: 'not_found' } = {}) {
    super(message, options)
    this.problem = options.problem
  }
}
