import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ConsoleAccess, SignedInOperator } from '../../../domain/access/operators/console-access.js'
import type { Environment } from '../../../engine/store/database/store.js'
import type { Random } from '../../../platform/random.js'
import type { RateLimits } from '../../api/rate-limits.js'
import type { FormTokens } from '../../pages/form-tokens.js'
import type { SignInCookies } from '../../pages/sign-in-cookies.js'

/** Services and checks shared by the pages for signing in, for a second factor and for confirming. */
export interface Access {
  readonly rates: RateLimits
  readonly random: Random
  /** Sign-in and sessions of operators in an environment. Throws `Forbidden` if the environment is not served. */
  operators(environment: Environment): Promise<ConsoleAccess>
  readonly cookies: SignInCookies
  readonly tokens: FormTokens
  /** Whether a second factor is required in an environment. */
  isStrict(environment: Environment): boolean
  /** Throws `Forbidden` if the console is not available to the sender: without TLS, it is for this machine only. */
  expectHere(request: FastifyRequest): void
  /** The operator of the browser's session in an environment, even if the session lacks a required second factor. */
  signedIn(request: FastifyRequest, environment: Environment): Promise<SignedInOperator | undefined>
  /** Fields of a form that was made for the browser's session. Throws an `ApiError` if its token is not valid. */
  sessionForm(request: FastifyRequest, environment: Environment): ReadonlyMap<string, string>
  /** The token in forms of the browser's session, against forged requests. */
  sessionToken(request: FastifyRequest, environment: Environment): string
}

/** A page of an environment by which operators enter, leave or prove who they are. */
export interface AccessPage {
  readonly get?: AccessHandler
  readonly post: AccessHandler
}

export type AccessHandler = (visit: AccessVisit) => Promise<FastifyReply>

/** A request for an access page, and the services that answer it. */
export interface AccessVisit {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly environment: Environment
  readonly access: Access
}

/** The page on which an operator supplies the proof that the session lacks; undefined if the session suffices. */
export function missingProof(
  { session: { proof } }: SignedInOperator,
  isStrict: boolean,
): 'sign-in' | 'set-up' | undefined {
  if (!isStrict) return undefined
  switch (proof) {
    case 'second_factor':
      return undefined
    case 'code':
      return 'set-up'
    case 'password':
      return 'sign-in'
  }
}
