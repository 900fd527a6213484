import { expect } from 'chai'
import { declaredField, writtenName } from '../../../../scripts/reference/conformance.js'
import { SPEC_FIELDS, type SpecField } from '../../../../scripts/reference/spec-tables.js'
import type { Principal } from '../../../../src/engine/core/request/principal.js'
import type { Json, JsonObject } from '../../../../src/schema/json.js'
import { registry } from '../../../support/contract/document.js'
import { openCore, type TestCore } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { eachCase } from '../../../support/each-case.js'
import { exampleOf, makeWorld, type World } from './world.js'

/** A key without manage, for which attributes of operators are read-only. */
const program: Principal = { kind: 'key', id: 'key_program', manage: false }

/** Checks every attribute of the specification's tables against its flags. */
onDatabases((open) => {
  describe('every attribute of the specification', () => {
    let core: TestCore
    let world: World
    before(async () => {
      core = await openCore(open)
      world = await makeWorld(core)
    })

    const pathOf = ({ resource }: SpecField) => `/${registry.get(resource).plural}/${world.get(resource)}`
    const read = async (spec: SpecField, fields: string) =>
      valueAt(await core.ok('GET', pathOf(spec), undefined, { query: `fields=${fields}` }), spec.path)

    it('is never shown if it is write-only', async () => {
      await eachCase(SPEC_FIELDS.filter(isTransient), nameOf, async (spec) => {
        expect(await read(spec, '*')).to.equal(undefined)
      })
    })

    it('is shown by default or only on request, as its flags say', async () => {
      const shown = SPEC_FIELDS.filter((one) => !isTransient(one))
      await eachCase(shown, nameOf, async (spec) => {
        const requested = await read(spec, `*,${isInRows(spec) ? 'order_details' : writtenName(spec)}`)
        expect(await read(spec, '*')).to.deep.equal(isDefault(spec) ? requested : undefined)
      })
    })

    it('can be a filter: objects with and without a value together are all objects', async () => {
      await eachCase(SPEC_FIELDS.filter(isFiltered), nameOf, async (spec) => {
        const path = `/${registry.get(spec.resource).plural}`
        const count = async (filter: string) =>
          countOf(await core.ok('GET', path, undefined, { query: `fields=id${filter}` }))
        const set = await count(`&${writtenName(spec)}=!null`)
        const unset = await count(`&${writtenName(spec)}=null`)
        const all = await count('')
        expect(set + unset).to.equal(all)
      })
    })

    it('cannot be changed by a client if it is read-only', async () => {
      await eachCase(SPEC_FIELDS.filter(isReadonly), nameOf, async (spec) => {
        const name = writtenName(spec)
        const before = await read(spec, name)
        const { status, body } = await core.send(
          'PUT',
          pathOf(spec),
          { [name]: 'another' },
          { principal: program },
        )
        // The id in an attribute that may be set once is looked up and not found.
        const problem = declaredField(registry, spec)?.once ? 'Not found' : 'Read only'
        expect([status, body.details]).to.deep.equal([400, { [name]: problem }])
        expect(await read(spec, name)).to.deep.equal(before)
      })
    })

    it('is reported as missing from a new object if it is required', async () => {
      await eachCase(SPEC_FIELDS.filter(isRequired), nameOf, async (spec) => {
        const declaration = registry.get(spec.resource)
        const name = writtenName(spec)
        const { [name]: _, ...body } = exampleOf(declaration, world, [name])
        const { status, body: answer } = await core.send('POST', `/${declaration.plural}`, body)
        expect(status).to.equal(400)
        expect(answer.details).to.have.property(name, 'Required')
      })
    })
  })
})

function nameOf(spec: SpecField): string {
  return `${registry.get(spec.resource).plural} ${writtenName(spec)}`
}

function isTransient(spec: SpecField): boolean {
  return declaredField(registry, spec)?.transient === true
}

/** Whether clients may change the resource, but not this top-level attribute. */
function isReadonly(spec: SpecField): boolean {
  const { refuses } = registry.get(spec.resource)
  const isFixed = declaredField(registry, spec)?.readonly !== undefined
  return isFixed && spec.path.length === 1 && refuses?.PUT === undefined && isFiltered(spec)
}

/** Whether clients must send this top-level attribute to create the resource. */
function isRequired(spec: SpecField): boolean {
  const { refuses } = registry.get(spec.resource)
  const hasDefault = declaredField(registry, spec)?.default !== undefined
  const isSent = spec.path.length === 1 && refuses?.POST === undefined
  return isSent && spec.flags.includes('required') && !hasDefault
}

/** Whether an answer shows the attribute by default. */
function isDefault(spec: SpecField): boolean {
  const field = declaredField(registry, spec)
  const isList = field?.kind === 'many'
  return isList ? field.shown === true : field?.nonDefault !== true
}

/** Whether the attribute is a value; relations and rows are filtered by their own attributes. */
function isFiltered(spec: SpecField): boolean {
  const field = declaredField(registry, spec)
  return (
    field !== undefined &&
    !isTransient(spec) &&
    !['one', 'many', 'rows', 'group'].includes(field.kind) &&
    !isInRows(spec)
  )
}

function isInRows({ path }: SpecField): boolean {
  return path[0] === 'order_details' && path[1] === 'line_items'
}

function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  const [first, ...more] = path
  if (first === undefined) return value
  if (Array.isArray(value)) return value.flatMap((one) => valueAt(one, path) ?? [])
  return typeof value === 'object' && value !== null ? valueAt(value[first], more) : undefined
}

function countOf({ values }: JsonObject): number {
  return Array.isArray(values) ? values.length : 0
}
