import { existsSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { DECIDED, differences, keyOf, reasonFor } from '../../scripts/reference/conformance.js'
import { OVER_ALL } from '../../scripts/reference/conformance-page.js'
import { SHOWN_BY } from '../../scripts/reference/shown-by.js'
import { SPEC_FIELDS, SPEC_NESTED, SPEC_PATHS, type SpecField } from '../../scripts/reference/spec-tables.js'
import { endpointsOf } from '../../src/schema/openapi/endpoints.js'
import { METHODS } from '../../src/schema/resource.js'
import { registry } from '../support/contract/document.js'
import { eachCase } from '../support/each-case.js'

function specified(spec: SpecField): string {
  return [keyOf(spec), spec.type, ...spec.flags].join(', ')
}

const fileOf = (name: string) => `test/${name}.test.ts`

describe('declarations compared with the tables of the specification', () => {
  it('contain every attribute as specified or as decided', async () => {
    await eachCase(SPEC_FIELDS, specified, (spec) => {
      const otherwise = differences(registry, spec)
      if (reasonFor(spec) === undefined) expect(otherwise).to.deep.equal([])
      else expect(otherwise, 'it was decided otherwise, but is not').to.not.deep.equal([])
    })
  })

  it('contain every path and method', () => {
    const paths = endpointsOf(registry)
    const missing = SPEC_PATHS.flatMap((plural) => [
      ...METHODS.filter((method) => !has(`/${plural}`, method)).map((method) => `${method} /${plural}`),
      ...METHODS.filter((method) => method !== 'POST' && !has(`/${plural}/{id}`, method)),
    ])
    expect(missing).to.deep.equal([])

    function has(path: string, method: string): boolean {
      return paths.some((one) => one.path === path && one.method === method)
    }
  })

  it('contain every nested path', () => {
    const paths = endpointsOf(registry).map(({ path, method }) => `${method} ${path}`)
    for (const [plural, nested] of Object.entries(SPEC_NESTED))
      for (const name of nested) expect(paths).to.include(`GET /${plural}/{id}/${name}`)
  })
})

describe('the conformance pages', () => {
  it('name attributes of the specification, each with a test that mentions it', () => {
    const known = SPEC_FIELDS.map(keyOf)
    for (const [file, names] of Object.entries(SHOWN_BY)) {
      const text = readFileSync(fileOf(file), 'utf8')
      for (const name of names) {
        expect(known).to.include(name)
        expect(text, `${file} does not mention ${name}`).to.include(name.split('.').at(-1))
      }
    }
    const named = Object.values(SHOWN_BY).flat()
    expect(named.filter((name, index) => named.indexOf(name) !== index)).to.deep.equal([])
  })

  it('contain no decision about an unknown attribute', () => {
    const reasons = new Set(SPEC_FIELDS.map(reasonFor))
    expect(Object.values(DECIDED).filter((reason) => !reasons.has(reason))).to.deep.equal([])
  })

  it('name existing tests', () => {
    const page = readFileSync('docs/conformance.md', 'utf8')
    const rows = page.split('\n').filter((line) => line.startsWith('| ') && line.split('|').length > 4)
    const inRows = rows.flatMap((line) => [...(line.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)])
    const files = [...inRows.map(([, name = '']) => name), ...OVER_ALL.map(([, name]) => name)]
    expect(files.length).to.be.above(50)
    expect(files.filter((name) => !existsSync(fileOf(name)))).to.deep.equal([])
  })
})
