import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'
import { document, registry } from '../support/contract/document.js'
import { broken } from '../support/contract/schemas.js'

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

/** Schemas of texts, or with names that clients choose. */
const FILTERS = ['Filter', 'Filters']

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Calls a function for every object inside a value, with its position. */
function visit(value: object, place: string, see: (object: object, place: string) => void): void {
  see(value, place)
  for (const [name, inner] of Object.entries(value))
    if (typeof inner === 'object' && inner !== null) visit(inner, `${place}.${name}`, see)
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(JSON.parse(JSON.stringify(document)))).to.deep.equal({
      valid: true,
    })
  })

  it('has only schemas that are valid by themselves', () => {
    for (const [name, schema] of Object.entries(document.components.schemas).filter(
      ([name]) => !FILTERS.includes(name),
    ))
      expect(broken(schema, 'no object'), name).to.not.deep.equal([])
  })

  it('has no dangling reference', () => {
    const text = JSON.stringify(document)
    const names = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)]
    const missing = names.filter(([, kind = '', name = '']) => {
      const components: { [kind: string]: object } = document.components
      return !Object.hasOwn(components[kind] ?? {}, name)
    })
    expect(missing.map(([reference]) => reference)).to.deep.equal([])
    expect(names).to.not.deep.equal([])
  })

  it('names every operation once', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).to.deep.equal([])
    for (const id of ids) expect(id).to.match(/^[a-z]\w+$/)
  })

  it('describes every path parameter', () => {
    for (const { path, method, operation } of operations) {
      const asked = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const told = (operation.parameters ?? []).filter((one) => one.in === 'path').map(({ name }) => name)
      expect(told, `${method} ${path}`).to.deep.equal(asked)
    }
  })

  it('has every resource, its items and its nested objects', () => {
    for (const { plural, refuses = {} } of registry.all) {
      expect(document.paths).to.include.keys(`/${plural}`, `/${plural}/{id}`)
      const refused = Object.keys(refuses).map((method) => method.toLowerCase())
      const taken = ['get', 'post', 'put', 'delete'].filter((method) => !refused.includes(method))
      expect(Object.keys(document.paths[`/${plural}`] ?? {}), plural).to.have.members(taken)
    }
    expect(document.paths).to.include.keys('/transactions/{id}/ledger', '/invoices/{id}/items')
  })

  it('describes the answer to a new object, and to a list separately', () => {
    const answered = (path: string) => document.paths[path]?.post?.responses['200']
    expect(answered('/transactions'))
      .to.have.nested.property('content.application/json.schema')
      .deep.equal({
        anyOf: [ref('Transaction'), ref('TransactionSelection')],
      })
    expect(answered('/transactions/'))
      .to.have.nested.property('content.application/json.schema')
      .deep.equal({
        anyOf: [ref('TransactionList'), ref('TransactionSelectionList')],
      })
  })

  it('lists only the creatable types of a new transaction', () => {
    expect(document.components.schemas.TransactionCreate)
      .to.have.nested.property('allOf[1].properties.type.enum')
      .deep.equal(['payment', 'refund', 'credit'])
  })

  it('describes every choice, and makes values with a default optional', () => {
    const bare: string[] = []
    // The schema of a parameter is described by the parameter.
    visit(document, '', (schema, place) => {
      if ('enum' in schema && !('description' in schema) && !place.endsWith('.schema')) bare.push(place)
    })
    visit(document.components.schemas, '', (schema, place) => {
      if ('default' in schema) bare.push(`${place} has a default`)
    })
    expect(bare).to.deep.equal([])
  })

  it('allows no undeclared attributes in answers', () => {
    const open = Object.entries(document.components.schemas)
      .filter(([name]) => !name.endsWith('Create') && !FILTERS.includes(name))
      .filter(([, schema]) => schema.additionalProperties !== false)
    expect(open.map(([name]) => name)).to.deep.equal([])
  })
})
