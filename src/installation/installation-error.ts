/** Why a home cannot be copied, restored or changed; the message is one sentence on what to do. */
export class InstallationError extends Error {
  override readonly name = 'InstallationError'
}
