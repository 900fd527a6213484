import type { FastifyRequest } from 'fastify'
import type { SessionClient } from '../../../domain/access/operators/operator-session.js'
import type { Environment } from '../../../engine/store/database/store.js'
import { callerOf } from '../../api/rate-limits.js'
import type { SignInCookies } from '../../pages/sign-in-cookies.js'

/** The browser in which a session begins: its name, its address, and the session that it had before. */
export function clientOf(
  request: FastifyRequest,
  cookies: SignInCookies,
  environment: Environment,
): SessionClient {
  return {
    browser: request.headers['user-agent'] ?? '',
    address: callerOf(request.ip),
    previous: cookies.session(request, environment),
  }
}
