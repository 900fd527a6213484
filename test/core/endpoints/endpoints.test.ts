import { expect } from 'chai'
import type { JsonObject } from '../../../src/core/json.js'
import type { Principal } from '../../../src/core/principal.js'
import { refusalsOf } from '../../../src/schema/openapi/statuses.js'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onEachDatabase } from '../../support/databases.js'
import { bodyFor, type Doing, doing, NOBODY, ownerOf, pathWith, refusing } from './rows.js'
import { makeWorld, type World } from './world.js'

/** A key that may do nothing at all. */
const nobody: Principal = { kind: 'key', id: 'key_nobody', manage: true, grants: {} }

/** Every row of the table in docs/reference/paths.md, and each answer that it says the core can give. */
onEachDatabase((open) => {
  describe('every path and method', () => {
    let core: TestCore
    let world: World
    before(async () => {
      core = await openCore(open)
      world = await makeWorld(core)
    })

    const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

    for (const row of refusing) {
      it(`${nameOf(row)} is always refused with ${row.does.status}`, async () => {
        const { status, body } = await core.send(row.method, pathWith(row.path), {})
        expect(status).to.equal(row.does.status)
        if (status === 403) expect(body.error_description).to.equal(row.does.reason)
        expect(refusalsOf(row.does)).to.include(status)
      })
    }

    for (const row of doing) {
      it(`${nameOf(row)} answers 200, or that there is none`, async () => {
        const { path, wanted } = await there(row)
        const { status, body } = await core.send(row.method, path, bodyFor(row.does, world), { dryRun: true })
        const allowed = restricted(row) ? [wanted, 400] : [wanted]
        expect(allowed, JSON.stringify(body)).to.include(status)
      })

      it(`${nameOf(row)} names what it does not know with a 400`, async () => {
        const { path } = await there(row)
        const body = bodyFor(row.does, world)
        const inBody =
          row.method === 'POST' ||
          row.does.kind === 'update' ||
          (row.does.kind === 'operate' && row.method === 'PUT')
        const asked = inBody ? { ...body, nonsense: 1 } : body
        const options = inBody ? {} : { query: 'nonsense=1' }
        const answer = await core.send(row.method, path, asked, options)
        expect([answer.status, answer.body.error_type]).to.deep.equal([400, 'InvalidAttributes'])
        expect(answer.body.details).to.include({ nonsense: 'Unknown attribute' })
      })

      it(`${nameOf(row)} is closed to a key that may not`, async () => {
        const path = pathWith(row.path)
        const { status } = await core.send(row.method, path, bodyFor(row.does, world), { principal: nobody })
        expect(status).to.equal(403)
      })

      if (refusalsOf(row.does).includes(404) && row.does.kind !== 'operate')
        it(`${nameOf(row)} answers 404 for what is not there`, async () => {
          const { status, body } = await core.send(
            row.method,
            pathWith(row.path),
            bodyFor(row.does, world, NOBODY),
          )
          expect([status, body.error_type]).to.deep.equal([404, 'NotFound'])
        })
    }

    /** The path of a row with objects of this world, and the status to expect: 404 where nothing is related. */
    async function there({ path, does }: Doing): Promise<{ path: string; wanted: number }> {
      const id = world.get(ownerOf(does)?.name ?? '') ?? ''
      if (does.kind === 'operate' || does.kind === 'act' || !does.within)
        return { path: pathWith(path, id), wanted: 200 }
      const { parent, name, field } = does.within
      const isItem = path.endsWith('}')
      if (field.kind === 'many' && !isItem) return { path: pathWith(path, id), wanted: 200 }
      const related = await relatedTo(`/${parent.plural}/${id}`, name, field.kind)
      return { path: pathWith(path, id, related ?? NOBODY), wanted: related === undefined ? 404 : 200 }
    }

    async function relatedTo(path: string, name: string, kind: 'one' | 'many'): Promise<string | undefined> {
      if (kind === 'many') {
        const [first] = valuesOf(await core.ok('GET', `${path}/${name}`))
        return first && idOf(first)
      }
      const parent: JsonObject = await core.ok('GET', path, undefined, { query: `fields=${name}[id]` })
      return parent[name] === null ? undefined : idOf(objectOf(parent[name]))
    }

    /** Whether the state of an object may forbid it. */
    function restricted({ method, does }: Doing): boolean {
      if (does.kind === 'act' || does.kind === 'operate') return true
      if (method === 'GET') return false
      return does.resource.restricts?.[method] !== undefined
    }
  })
})
