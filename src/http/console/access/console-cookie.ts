import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../../../engine/store/database/store.js'

const ENVIRONMENTS = ['test', 'live'] as const
const PART = /^(test|live)\.([\w.-]{1,200})$/
/** Seconds for which a browser is recognized: as long as browsers keep a cookie. */
const KNOWN_SECONDS = 400 * 24 * 3_600

/**
 * The cookies of operators. The session cookie holds a part for each environment, `test.…~live.…`. Scripts cannot read
 * them (`HttpOnly`), and browsers do not send them with requests from other sites (`SameSite`). Behind TLS their prefix
 * `__Host-` ensures that only this host sets them.
 */
export interface ConsoleCookies {
  /** The browser's session in an environment; empty when it has none. */
  session(request: FastifyRequest, environment: Environment): string
  /** Sets the session of an environment, or removes it if empty. The session of the other environment is kept. */
  setSession(request: FastifyRequest, reply: FastifyReply, environment: Environment, session: string): void
  /** The cookie that recognizes a browser in which an operator signed in before; empty when there is none. */
  known(request: FastifyRequest, environment: Environment): string
  setKnown(reply: FastifyReply, environment: Environment, known: string): void
}

export function consoleCookies(behindTls: boolean): ConsoleCookies {
  const prefix = behindTls ? '__Host-' : ''
  const attributes = `Path=/; HttpOnly; SameSite=Strict${behindTls ? '; Secure' : ''}`
  const name = `${prefix}payctl_console`
  const knownName = (environment: Environment) => `${prefix}payctl_operator_${environment}`
  return {
    session: (request, environment) => partsIn(cookieIn(request, name)).get(environment) ?? '',
    setSession(request, reply, environment, session) {
      const parts = partsIn(cookieIn(request, name)).set(environment, session)
      const value = ENVIRONMENTS.flatMap((each) => {
        const part = parts.get(each) ?? ''
        return part === '' ? [] : [`${each}.${part}`]
      }).join('~')
      const end = value === '' ? '; Max-Age=0' : ''
      reply.header('set-cookie', `${name}=${value}; ${attributes}${end}`)
    },
    known: (request, environment) => cookieIn(request, knownName(environment)),
    setKnown(reply, environment, known) {
      reply.header(
        'set-cookie',
        `${knownName(environment)}=${known}; ${attributes}; Max-Age=${KNOWN_SECONDS}`,
      )
    },
  }
}

function cookieIn({ headers: { cookie = '' } }: FastifyRequest, name: string): string {
  return new RegExp(`(?:^|;\\s*)${name}=([\\w.~-]{1,500})(?:;|$)`).exec(cookie)?.[1] ?? ''
}

function partsIn(value: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const part of value.split('~')) {
    const [, environment, session] = PART.exec(part) ?? []
    if (environment !== undefined && session !== undefined) parts.set(environment, session)
  }
  return parts
}
