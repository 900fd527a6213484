import { expect } from 'chai'
import { owner, type Principal } from '../../../../src/engine/core/request/principal.js'
import { WrittenAnswer } from '../../../../src/engine/core/request/request.js'
import { parsePath } from '../../../../src/engine/core/request/route.js'
import { claimOf, saveAnswer, saveContinuation } from '../../../../src/engine/core/write/idempotency.js'
import type { ErrorStatus } from '../../../../src/schema/error-types.js'
import { refusalsOf } from '../../../../src/schema/openapi/statuses.js'
import { openCore, type TestCore } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { eachCase } from '../../../support/each-case.js'
import { furnish } from './furnish.js'
import { Objects } from './objects.js'
import { type Doing, doing, NOBODY, pathWith, refusing, saidTo } from './rows.js'
import { makeWorld, type World } from './world.js'

/** A key with an empty list of grants. */
const nobody: Principal = { kind: 'key', id: 'key_nobody', manage: true, grants: {} }

/** Checks every row of the table in docs/reference/paths.md, with each status that it lists for the core. */
onDatabases((open) => {
  describe('every path and method', () => {
    let core: TestCore
    let world: World
    let objects: Objects
    before(async () => {
      core = await openCore(open, { publicAddress: 'https://pay.example.com' })
      world = await furnish(core, await makeWorld(core))
      objects = new Objects(core)
    })

    it('is refused with the status and reason that its table row declares', async () => {
      await eachCase(refusing, nameOf, async (row) => {
        const { status, body } = await core.send(row.method, pathWith(row.path), {})
        expect(status).to.equal(row.does.status)
        if (status === 403) expect(body.error_description).to.equal(row.does.reason)
        expect(refusalsOf(row.does)).to.include(status)
      })
    })

    it('answers 200 for at least one object', async () => {
      await eachCase(doing, nameOf, async (row) => {
        const { method, path, does } = row
        const answers = new Set<string>()
        for (const [ids, id] of await objects.chances(row)) {
          const { query, body } = saidTo(does, world, id)
          const answer = await core.send(method, pathWith(path, ...ids), body, {
            query,
            dryRun: method !== 'GET',
          })
          if (answer.status === 200) return
          expect(refusalsOf(does)).to.include(answer.status)
          answers.add(JSON.stringify(answer.body))
        }
        expect.fail([...answers].join('\n') || 'there is no object to request it for')
      })
    })

    it('answers 400 and names unknown attributes', async () => {
      await eachCase(doing, nameOf, async (row) => {
        const { method, path, does } = row
        const [ids = []] = await objects.idsIn(row)
        const { query, body } = saidTo(does, world)
        const sent = isInBody(row) ? { ...body, nonsense: 1 } : body
        const answer = await core.send(method, pathWith(path, ...ids), sent, {
          query: isInBody(row) ? query : `${query ?? ''}&nonsense=1`,
        })
        expect([answer.status, answer.body.error_type]).to.deep.equal([400, 'InvalidAttributes'])
        expect(answer.body.details).to.include({ nonsense: 'Unknown attribute' })
      })
    })

    it('is closed to a key without grants', async () => {
      await eachCase(doing, nameOf, async ({ method, path, does }) => {
        const { query, body } = saidTo(does, world)
        const { status } = await core.send(method, pathWith(path), body, { query, principal: nobody })
        expect(status).to.equal(403)
      })
    })

    it('answers 404 for an unknown object', async () => {
      await eachCase(claiming(404), nameOf, async ({ method, path, does }) => {
        const { query, body } = saidTo(does, world, NOBODY)
        const answer = await core.send(method, pathWith(path), body, { query })
        expect([answer.status, answer.body.error_type]).to.deep.equal([404, 'NotFound'])
      })
    })

    it('answers 422 or 409 for the idempotency key of another request', async () => {
      await eachCase(claiming(422), nameOf, async ({ method, path, does }) => {
        const { body } = saidTo(does, world)
        const request = { method, path: pathWith(path), body, principal: owner }
        const send = async (idempotencyKey: string) => {
          const answer = await core.send(method, request.path, body, { idempotencyKey })
          return [answer.status, answer.body.error_type]
        }
        const { write } = core.environment.core
        await write(async ({ tx, vault, realNow }) => {
          const claim = (idempotencyKey: string) =>
            claimOf({ ...request, idempotencyKey }, parsePath(request.path), vault, null)
          const done = claim('done')
          const open = claim('open')
          if (!done || !open) throw new Error('A request with a key has a claim')
          const another = { ...done, requestHash: 'of another request' }
          await saveAnswer(tx, another, realNow, new WrittenAnswer('{}'), false)
          await saveContinuation(tx, open, realNow, {
            resource: 'transaction',
            ids: [],
            list: true,
            fields: [],
          })
        })
        expect(await send('done')).to.deep.equal([422, 'IdempotencyMismatch'])
        expect(await send('open')).to.deep.equal([409, 'Conflict'])
      })
    })
  })
})

/** The endpoints whose table row lists a status. */
function claiming(status: ErrorStatus): Doing[] {
  return doing.filter(({ does }) => refusalsOf(does).includes(status))
}

function nameOf({ method, path }: { method: string; path: string }): string {
  return `${method} ${path}`
}

function isInBody({ method, does }: Doing): boolean {
  return method === 'POST' || (method === 'PUT' && (does.kind === 'update' || does.kind === 'operate'))
}
