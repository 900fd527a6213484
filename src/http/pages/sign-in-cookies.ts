import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../engine/store/database/store.js'

/**
 * The cookies of one sign-in: a session, and the recognition of a browser after the session. Scripts cannot read them
 * (`HttpOnly`), and forms of other sites do not send them (`SameSite`).
 */
export interface SignInCookies {
  /** The browser's session in an environment; empty when it has none. */
  session(request: FastifyRequest, environment: Environment): string
  /** Sets the session of an environment, or removes it if empty. The session of the other environment is kept. */
  setSession(request: FastifyRequest, reply: FastifyReply, environment: Environment, session: string): void
  /** The cookie of a browser in which somebody signed in before; empty when there is none. */
  known(request: FastifyRequest, environment: Environment): string
  setKnown(request: FastifyRequest, reply: FastifyReply, environment: Environment, known: string): void
}

/** Names and attributes of the cookies of one sign-in. No two sign-ins have a name in common. */
interface CookiePolicy {
  readonly sessionName: (environment: Environment) => string
  /** Whether one session cookie holds a part for each environment, `test.…~live.…`. */
  readonly isForBoth: boolean
  readonly knownName: (environment: Environment) => string
  /** Seconds for which browsers keep the session; undefined if until they are closed. */
  readonly sessionSeconds: number | undefined
  /** The attributes of a cookie; `maxAge` is empty or the attribute with the time for which browsers keep it. */
  readonly attributes: (request: FastifyRequest, maxAge: string) => string
}

/** Cookies of users of OAuth. Links of other sites send them, since applications redirect to the page. */
export const userCookies = signInCookies({
  sessionName: (environment) => `payctl_session_${environment}`,
  isForBoth: false,
  knownName: (environment) => `payctl_known_${environment}`,
  sessionSeconds: 3_600,
  attributes: ({ protocol }, maxAge) =>
    `Path=/${maxAge}; HttpOnly; SameSite=Lax${protocol === 'https' ? '; Secure' : ''}`,
})

/**
 * Cookies of operators of the console. No request from another site sends them. Behind TLS their prefix `__Host-`
 * ensures that only this host sets them.
 */
export function operatorCookies(behindTls: boolean): SignInCookies {
  const prefix = behindTls ? '__Host-' : ''
  return signInCookies({
    sessionName: () => `${prefix}payctl_console`,
    isForBoth: true,
    knownName: (environment) => `${prefix}payctl_operator_${environment}`,
    sessionSeconds: undefined,
    attributes: (_, maxAge) => `Path=/; HttpOnly; SameSite=Strict${behindTls ? '; Secure' : ''}${maxAge}`,
  })
}

/** The value of a cookie if all of it matches `pattern`; empty otherwise. */
export function cookieIn({ headers }: FastifyRequest, name: string, pattern: string): string {
  const { cookie = '' } = headers
  return new RegExp(`(?:^|;\\s*)${name}=(${pattern})(?:;|$)`).exec(cookie)?.[1] ?? ''
}

const ENVIRONMENTS = ['test', 'live'] as const
const VALUE = '[\\w.-]{1,200}'
const VALUES = '[\\w.~-]{1,500}'
const PART = new RegExp(`^(test|live)\\.(${VALUE})$`)
/** Seconds for which a browser is recognized: as long as browsers keep a cookie. */
const KNOWN_SECONDS = 400 * 24 * 3_600

function signInCookies(policy: CookiePolicy): SignInCookies {
  const { sessionName, isForBoth, knownName, sessionSeconds, attributes } = policy
  const partsOf = (request: FastifyRequest, name: string) => partsIn(cookieIn(request, name, VALUES))
  const set = (request: FastifyRequest, reply: FastifyReply, pair: string, seconds: number | undefined) => {
    const maxAge = seconds === undefined ? '' : `; Max-Age=${seconds}`
    reply.header('set-cookie', `${pair}; ${attributes(request, maxAge)}`)
  }
  return {
    session(request, environment) {
      const name = sessionName(environment)
      if (isForBoth) return partsOf(request, name).get(environment) ?? ''
      return cookieIn(request, name, VALUE)
    },
    setSession(request, reply, environment, session) {
      const name = sessionName(environment)
      const value = isForBoth ? joined(partsOf(request, name).set(environment, session)) : session
      set(request, reply, `${name}=${value}`, value === '' ? 0 : sessionSeconds)
    },
    known: (request, environment) => cookieIn(request, knownName(environment), VALUE),
    setKnown: (request, reply, environment, known) =>
      set(request, reply, `${knownName(environment)}=${known}`, KNOWN_SECONDS),
  }
}

function partsIn(value: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const part of value.split('~')) {
    const [, environment, session] = PART.exec(part) ?? []
    if (environment !== undefined && session !== undefined) parts.set(environment, session)
  }
  return parts
}

function joined(parts: ReadonlyMap<string, string>): string {
  return ENVIRONMENTS.flatMap((each) => {
    const part = parts.get(each) ?? ''
    return part === '' ? [] : [`${each}.${part}`]
  }).join('~')
}
