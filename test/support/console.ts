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

/** An operator's part of a visitor. */
export interface TestOperator {
  readonly role?: Role
  readonly name?: string
  readonly id?: string
  /** Whether their last confirmation is recent; true by default. */
  readonly isConfirmed?: boolean
  /** Processing accounts that they are narrowed to; all by default. */
  readonly processingIds?: readonly string[]
}

/** A gate that lets one operator in, whatever cookie the browser has. */
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

/** A server whose console lets one operator in. */
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
