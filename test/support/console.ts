import type { FastifyInstance } from 'fastify'
import type { App } from '../../src/app.js'
import { LIMITS } from '../../src/http/api/http-limits.js'
import { openLog } from '../../src/http/api/log.js'
import type { ConsoleGate } from '../../src/http/console/gate.js'
import { postedForm } from '../../src/http/pages/form-tokens.js'
import { createServer } from '../../src/http/server.js'
import { systemClock } from '../../src/platform/clock.js'
import { systemRandom } from '../../src/platform/random.js'
import type { Role } from '../../src/schema/role.js'

/** Properties of the signed-in operator. */
export interface TestOperator {
  readonly role?: Role
  readonly name?: string
  readonly id?: string
  /** Whether the operator confirmed their identity recently; true by default. */
  readonly isConfirmed?: boolean
  /** Processing accounts to which the operator is restricted; omitted if they see all. */
  readonly processingIds?: readonly string[]
}

/** A gate that treats every request as signed in by the given operator, whatever its cookies. */
function openGate(
  app: App,
  {
    role = 'owner',
    name = 'Ada Park',
    id = 'oper_test',
    isConfirmed = true,
    processingIds,
  }: TestOperator = {},
): ConsoleGate {
  return {
    visitorOf: async (_request, _reply, environment) => ({
      app,
      environment,
      core: (await app.environment(environment)).core,
      principal: { kind: 'operator', id, role, manage: true, ...(processingIds && { processingIds }) },
      session: { id: 'sess_test', confirmedAt: Date.now(), isConfirmed, proof: 'second_factor' },
      name,
      zone: 'America/New_York',
      formToken: 'token',
    }),
    gatePost: postedForm,
  }
}

/** A server whose console treats every visitor as the given operator. */
export function consoleServer(app: App, operator: TestOperator = {}): FastifyInstance {
  return createServer({
    app,
    limits: LIMITS,
    log: openLog('silent'),
    random: systemRandom,
    clock: systemClock,
    gate: openGate(app, operator),
  })
}
