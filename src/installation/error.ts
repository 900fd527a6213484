/** Why a home cannot be copied, restored or changed; the message is one sentence on what to do. */
export class UpkeepError extends Error {
  override readonly name = 'UpkeepError'
}
