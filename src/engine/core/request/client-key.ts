import { ApiError } from './errors.js'
import type { ApiRequest } from './request.js'
import { placeOf } from './route.js'

/**
 * A client key creates one object at a time, for real, at the paths it is granted. All else is refused before anything
 * is looked at, so that nobody learns from it what is there. Throws `Forbidden`.
 */
export function refuseBeyondCreating({ principal, method, path, dryRun }: ApiRequest): void {
  if (principal.kind !== 'client') return
  const place = placeOf(path)
  if (method !== 'POST' || !principal.grants?.[place]?.includes(method))
    throw new ApiError('Forbidden', `A client key may not ${method} /${place}`)
  if (dryRun) throw new ApiError('Forbidden', 'A client key may not ask for a dry run')
}

/** Many at once are refused as well: each of them would be tried. Throws `Forbidden`. */
export function refuseList({ principal }: ApiRequest): void {
  if (principal.kind === 'client')
    throw new ApiError('Forbidden', 'A client key creates one object at a time')
}
