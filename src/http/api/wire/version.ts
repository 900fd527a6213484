import { ApiError } from '../../../engine/core/request/errors.js'

/** The version of the interface, as it is echoed. */
export const VERSION = 'v1'

const NAMES = ['v1', '1', 'v1.0']

/** Throws `BadRequest` when a client asks for another version of the interface. */
export function checkVersion(asked: string | readonly string[] | undefined): void {
  if (asked === undefined || NAMES.some((name) => name === asked)) return
  throw new ApiError('BadRequest', `X-API-Version must be ${VERSION}`)
}
