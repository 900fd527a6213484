import { expect } from 'chai'
import type { Client } from '../../../src/cli/terminal/client/client.js'
import { model } from '../../../src/cli/terminal/declarations/declared-model.js'
import { openRemoteClient } from '../../../src/cli/terminal/remote/remote-client.js'
import type { ApiRequest } from '../../../src/engine/core/request/request.js'
import { CONSOLE_RESOURCES } from '../../../src/http/console/records/console-resources.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { MIN_ROLE, ROLES, type Role, reaches } from '../../../src/schema/role.js'
import { operatorVisit } from '../../http/console/operators-visit.js'
import { idOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { type DeclaredRequest, declaredRequests } from '../../support/declared-requests.js'
import { eachCase } from '../../support/each-case.js'
import { type HttpService, httpService } from '../../support/http.js'

/** A request as an adapter sends it, for an operator. */
type Send = (request: Pick<ApiRequest, 'method' | 'path' | 'body'>) => Promise<Answer>
type Answer = { readonly status: number; readonly body: JsonObject }

describe('the roles of operators', () => {
  onDatabases((open) => {
    let service: HttpService
    let requests: readonly DeclaredRequest[]
    const tokens = new Map<Role, string>()
    const clients = new Map<Role, Client>()
    before(async () => {
      service = await httpService(await open.migrated())
      open.atEnd(() => service.stop())
      const key = await service.key({ manage: true })
      const shop = await service.ask(key, 'POST', '/processing_accounts', { name: 'Corner Books' })
      requests = declaredRequests(idOf(shop.body))
      for (const role of ROLES) {
        const person = { name: 'Ada Park', email: `${role}@example.com`, role }
        const { body } = await service.ask(key, 'POST', '/admin/operators', person)
        const token = await service.key({ operator_id: idOf(body) })
        tokens.set(role, token)
        const remote = {
          server: service.address,
          key: token,
          patience: 60_000,
          retries: 0,
          say: () => undefined,
        }
        const client = await openRemoteClient(remote)
        open.atEnd(() => client.close())
        clients.set(role, client)
      }
    })

    const overHttp =
      (role: Role): Send =>
      async ({ method, path, body }) =>
        await service.ask(tokens.get(role) ?? '', method, path, method === 'GET' ? undefined : Object(body))
    const atTerminal =
      (role: Role): Send =>
      async (request) => {
        const holder = await service.app.authenticate(tokens.get(role) ?? '')
        if (!holder) throw new Error(`No operator with the role ${role}`)
        const { core } = await service.app.environment('test')
        return await core.handle({ ...request, principal: holder.principal, through: 'terminal' })
      }

    const atRemoteTerminal =
      (role: Role): Send =>
      async ({ body, ...request }) => {
        const client = clients.get(role) ?? expect.fail(`No client of a ${role}`)
        return await client.send(request.method === 'DELETE' ? request : { ...request, body })
      }

    const adapters = [
      ['over HTTP with a token', overHttp],
      ['at a terminal far from the server', atRemoteTerminal],
      ['at the terminal', atTerminal],
    ] as const
    for (const [where, as] of adapters)
      for (const role of ROLES) {
        it(`let a ${role} change ${where} exactly what the declarations allow`, async () => {
          const send = as(role)
          await eachCase(
            requests,
            ({ name }) => `${role} ${name}`,
            async ({ request, least, verbs, refuses }) => {
              const { status, body } = await send(request)
              const said = String(body.error_description)
              if (refuses !== undefined) return void expect(said).to.equal(refuses)
              const needed = [...least, ...verbs.map((verb) => MIN_ROLE[verb])]
              const isAllowed = request.method === 'GET' || needed.every((each) => reaches(role, each))
              const isRefused = status === 403 && said.endsWith(`; yours is ${role}`)
              expect(isRefused, `${status} ${said}`).to.equal(!isAllowed)
            },
          )
        })

        it(`let a ${role} read everything ${where}`, async () => {
          const send = as(role)
          const lists = model.all.map(({ plural }) => plural)
          const operations = model.operations.filter(({ method }) => method === 'GET').map(({ path }) => path)
          await eachCase(
            [...lists, ...operations],
            (path) => `${role} ${path}`,
            async (path) => {
              const { status, body } = await send({ method: 'GET', path: `/${path}` })
              expect([200, 400], JSON.stringify(body)).to.include(status)
            },
          )
        })
      }

    for (const role of ROLES)
      it(`let a ${role} send no console form above their role`, async () => {
        const visit = operatorVisit(service.app, { role, id: `oper_${role}` })
        const writes = CONSOLE_RESOURCES.flatMap((declared) => declared.writes ?? [])
        await eachCase(
          writes,
          ({ at }) => `${role} ${at.join('/')}`,
          async ({ at, least }) => {
            const path = at.map((segment) => (segment.startsWith(':') ? 'any_1' : segment)).join('/')
            const needed = typeof least === 'string' ? least : least(model)
            const { status } = await visit.send(path, { 'write.step': 'do' })
            expect(status === 403, `${status}`).to.equal(!reaches(role, needed))
          },
        )
      })
  })
})
