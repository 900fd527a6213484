import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../../app.js'
import type { ConsoleAccess } from '../../../domain/access/operators/console-access.js'
import { ApiError } from '../../../engine/core/request/api-error.js'
import type { Environment } from '../../../engine/store/database/store.js'
import type { Clock } from '../../../platform/clock.js'
import type { Random } from '../../../platform/random.js'
import type { RateLimits } from '../../api/rate-limits.js'
import { TOKEN_FIELD } from '../../html/form.js'
import { formTokens } from '../../pages/form-tokens.js'
import { seeOther } from '../../pages/send-page.js'
import { operatorCookies } from '../../pages/sign-in-cookies.js'
import { consoleAddress, type Visitor } from '../console-page.js'
import type { ConsoleGate } from '../gate.js'
import { type Access, missingProof } from './access-visit.js'
import { accessAddress, addressOfRequest } from './goal.js'
import { expectLoopback, ownForm } from './own-form.js'
import { serveAccessPages } from './serve-access-pages.js'

/** Milliseconds for which a form can be sent: as long as a session. */
const FORM_LIFE = 8 * 3_600_000

export interface GateOptions {
  readonly app: App
  readonly rates: RateLimits
  readonly random: Random
  readonly clock: Clock
  /** Whether a proxy in front speaks TLS. Otherwise the console is for browsers of this machine only. */
  readonly behindTls: boolean
  /** Receives the error when a row was refused because it differs from its seal. */
  readonly report: (error: unknown) => void
}

/** Lets operators with a session see the console, and redirects others to the sign-in or set-up page. */
export function consoleGate(options: GateOptions): ConsoleGate {
  const access = accessOf(options)
  return {
    async visitorOf(request, reply, environment) {
      access.expectHere(request)
      const operator = await access.signedIn(request, environment)
      const page = operator ? missingProof(operator, access.isStrict(environment)) : 'sign-in'
      if (!operator || page !== undefined) {
        leadTo(request, reply, environment, page ?? 'sign-in')
        return undefined
      }
      const { app } = options
      const { core } = await app.environment(environment)
      const { principal, session, name, zone } = operator
      const formToken = access.sessionToken(request, environment)
      return { app, environment, core, principal, session, name, zone, formToken } satisfies Visitor
    },
    gatePost: (request, { environment }) => access.sessionForm(request, environment),
    serve: (pages) => serveAccessPages(pages, access),
  }
}

function leadTo(request: FastifyRequest, reply: FastifyReply, environment: Environment, page: string): void {
  const goal = request.method === 'POST' ? consoleAddress(environment, []) : addressOfRequest(request)
  seeOther(reply, accessAddress(environment, page, goal))
}

function accessOf({ app, rates, random, clock, behindTls, report }: GateOptions): Access {
  const opened = new Map<Environment, ConsoleAccess>()
  const operators = async (environment: Environment): Promise<ConsoleAccess> => {
    const { core } = await app.environment(environment)
    const { consoleAccess } = await import('../../../domain/access/operators/console-access.js')
    const access = opened.get(environment) ?? consoleAccess({ core, random, report })
    opened.set(environment, access)
    return access
  }
  const cookies = operatorCookies(behindTls)
  const tokens = formTokens({ sign: app.sign, now: () => clock.now(), life: FORM_LIFE })
  const formName = (environment: Environment) => `console ${environment}`
  return {
    operators,
    rates,
    random,
    cookies,
    tokens,
    isStrict: (environment) => behindTls || environment === 'live',
    expectHere(request) {
      if (!behindTls) expectLoopback(request)
    },
    async signedIn(request, environment) {
      const cookie = cookies.session(request, environment)
      if (cookie === '') return undefined
      return await (await operators(environment)).signedIn(cookie)
    },
    sessionForm(request, environment) {
      const form = ownForm(request)
      const session = cookies.session(request, environment)
      if (tokens.isGood(form.get(TOKEN_FIELD), session, formName(environment))) return form
      throw new ApiError('Forbidden', STALE)
    },
    sessionToken: (request, environment) =>
      tokens.make(cookies.session(request, environment), formName(environment)),
  }
}

const STALE = 'The form is older than your session: go back, load the page again, and send it from there'
