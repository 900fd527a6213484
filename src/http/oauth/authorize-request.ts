import type { FastifyRequest } from 'fastify'
import type { AccessRequest } from '../../domain/access/grants/application.js'
import { queryParameters } from '../pages/signed-address.js'

/** Maximum number of parameters of the page's address. */
const MAX_PARAMETERS = 50

/** Parameters of the page's address. */
export interface AuthorizeRequest {
  readonly access: AccessRequest
  readonly state: string | undefined
  /** Whether only signing in is allowed, not signing up. */
  readonly authOnly: boolean
  readonly isSignUp: boolean
  /** The address itself, and those of the forms to sign in and up. */
  readonly here: string
  readonly signInHere: string
  readonly signUpHere: string
}

/**
 * Reads the page's address. New users may sign up if `signUp` is true and the address does not forbid it. `client_id`,
 * the name in OAuth, is read as `org_id`. Throws `BadRequest`.
 */
export function authorizeRequestOf(request: FastifyRequest, signUp: boolean): AuthorizeRequest {
  const values = new Map(queryParameters(request, MAX_PARAMETERS))
  const get = (name: string) => values.get(name) || undefined
  const authOnly = !signUp || ['true', '1'].includes(get('auth_only') ?? '')
  // Relative, so that it also works behind a proxy that adds a prefix.
  const address = (view?: string) => {
    const { view: _, ...others } = Object.fromEntries(values)
    return `authorize?${new URLSearchParams({ ...others, ...(view !== undefined && { view }) })}`
  }
  return {
    access: {
      client_key: get('client_key'),
      org_id: get('org_id') ?? get('client_id'),
      scope: get('scope'),
      redirect_uri: get('redirect_uri'),
      origin: get('origin'),
      code_challenge: get('code_challenge'),
      code_challenge_method: get('code_challenge_method'),
    },
    state: get('state'),
    authOnly,
    isSignUp: get('view') === 'sign-up' && !authOnly,
    here: address(get('view')),
    signInHere: address(),
    signUpHere: address('sign-up'),
  }
}
