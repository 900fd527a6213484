import { expect } from 'chai'
import fc from 'fast-check'
import { Model } from '../../src/model/model.js'
import type { ShapeStep } from '../../src/model/resource-model.js'
import { columnName, type Row, type Stored, type TableColumn } from '../../src/schema/columns.js'
import { derive } from '../../src/schema/derive.js'
import type { Fields } from '../../src/schema/field.js'
import type { Json, JsonObject } from '../../src/schema/json.js'
import { showValue } from '../../src/schema/wire.js'
import { registry } from '../support/contract/document.js'

const moment = {
  now: '2026-11-22 12:00:00',
  addresses: { show: () => 'https://a.example/"quoted"', isGood: () => false },
}

const words = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'null', '"', '\\', '\u2028'),
)
const json = fc.jsonValue().map((value) => JSON.stringify(value))
const numbers = fc.maxSafeInteger()
/** These values or null. Null is frequent, so that some groups are null as a whole. */
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 1 })

/** Columns that are read as JSON, with possible values. */
function jsonColumns(fields: Fields, path: readonly string[] = []): [string, fc.Arbitrary<string>][] {
  return Object.entries(fields).flatMap(([name, field]): [string, fc.Arbitrary<string>][] => {
    if (field.kind === 'group') return jsonColumns(field.fields, [...path, name])
    if (field.kind === 'json') return [[columnName([...path, name]), json]]
    return field.kind === 'rows' ? [[columnName([...path, name]), listsOf(field.fields)]] : []
  })
}

function listsOf(fields: Fields): fc.Arbitrary<string> {
  const row = fc.record(Object.fromEntries(Object.keys(fields).map((name) => [name, maybe(numbers)])))
  return fc.array(row, { maxLength: 3 }).map((list) => JSON.stringify(list))
}

function valuesOf({ name, type }: TableColumn, asJson?: fc.Arbitrary<string>): fc.Arbitrary<Stored> {
  if (asJson) return maybe(asJson)
  if (type === 'integer') return maybe(fc.oneof(numbers, fc.constantFrom(0, 1)))
  return name === 'deleted_at' ? maybe(fc.constant('2026-11-22 11:00:00')) : maybe(words)
}

/** The shown attributes of a row, computed in the simplest way. */
function shownOf(row: Row, steps: readonly ShapeStep[]): JsonObject {
  return Object.fromEntries(
    steps.flatMap((step) => {
      const value = valueShown(row, step)
      return step.whenSet && value === null ? [] : [[step.name, value]]
    }),
  )
}

function valueShown(row: Row, step: ShapeStep): Json {
  switch (step.kind) {
    case 'constant':
      return step.value
    case 'column':
      return showValue(step.field, row[step.column] ?? null)
    case 'derived':
      return derive(step.field, row, moment.now)
    case 'address':
      return step.field.beside !== undefined && row[step.field.beside] === null
        ? null
        : moment.addresses.show()
    case 'group': {
      const group = shownOf(row, step.steps)
      return Object.values(group).every((value) => value === null) ? null : group
    }
    case 'one':
      return null
    case 'many':
      return []
  }
}

describe('rows as JSON text', () => {
  for (const resource of new Model(registry).all)
    it(`have the same bytes for ${resource.plural} as objects that JSON.stringify writes`, () => {
      const { attributes, tableColumns: columns } = resource
      const everything = Object.keys(attributes).filter((name) => attributes[name]?.kind !== 'many')
      const asJson = new Map(jsonColumns({ ...attributes, ...resource.internal }))
      const rows: fc.Arbitrary<Row> = fc.record(
        Object.fromEntries(columns.map((column) => [column.name, valuesOf(column, asJson.get(column.name))])),
      )
      fc.assert(
        fc.property(rows, fc.subarray(everything), (row, fields) => {
          const { shape } = resource.select(fields)
          const asObject = shownOf(row, shape.steps)
          const context = { ...moment, related: () => undefined }
          const values = shape.valuesOf(row)
          expect(values).to.deep.equal(shape.columns.map((name) => row[name] ?? null))
          const asText = shape.write(values, context)
          expect(asText).to.equal(JSON.stringify(asObject))
          expect(shape.write(['before', ...values, 'after'], context, 1)).to.equal(asText)
          const isMarked = row.deleted_at !== null && 'object' in asObject
          expect(shape.writeMarked(values, context)).to.equal(
            JSON.stringify(isMarked ? { ...asObject, deleted: true } : asObject),
          )
        }),
        { numRuns: 60 },
      )
    })
})
