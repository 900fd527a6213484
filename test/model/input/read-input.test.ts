import { expect } from 'chai'
import fc from 'fast-check'
import { readInput } from '../../../src/model/input/read-input.js'
import type { ValidationOptions } from '../../../src/model/input/sent-input.js'
import { Model } from '../../../src/model/model.js'
import type { ResourceModel } from '../../../src/model/resource-model.js'
import { resources } from '../../../src/resources/resource-table.js'
import type { Field, Fields } from '../../../src/schema/field.js'
import { registryOf } from '../../../src/schema/registry.js'
import { isTree } from '../../../src/schema/types.js'

const model = new Model(registryOf(resources))
const CARD = '4242424242424242'

describe('the reader of input', () => {
  for (const resource of model.all) {
    it(`reads declared attributes in their order, or reports problems: ${resource.name}`, () => {
      const names = Object.keys(resource.attributes)
      fc.assert(
        fc.property(waysOf(resource), inputOf(resource), (writing, value) => {
          const read = readInput(resource, writing, value)
          const again = readInput(resource, writing, value)
          expect(again.success).to.equal(read.success)
          expect(read.success || read.error.issues.length > 0).to.equal(true)
          if (!read.success) return
          // The order must be the same, too.
          expect(JSON.stringify(again.data)).to.equal(JSON.stringify(read.data))
          const found = isTree(read.data) ? Object.keys(read.data) : []
          expect(isTree(read.data)).to.equal(true)
          expect(found).to.deep.equal(names.filter((name) => found.includes(name)))
        }),
        { numRuns: 150 },
      )
    })
  }

  it('reads a payment with a new card', () => {
    const payment = {
      type: 'payment',
      amount: '29.99',
      payment_method: { type: 'card', card_number: CARD, expiry: '12/35', billing_address: null },
    }
    const read = readInput(model.get('transaction'), { mode: 'create', manage: false }, payment)
    expect(read.success).to.equal(true)
    expect(read.data).to.deep.include({ amount: 2999 })
  })

  it('refuses an unknown attribute, but not one sent as undefined', () => {
    const writing = { mode: 'update', manage: true } as const
    for (const value of [{ colour: 'red' }, JSON.parse('{"__proto__": 1}'), [], null, 'x'])
      expect(readInput(model.get('customer'), writing, value).success).to.equal(false)
    expect(readInput(model.get('customer'), writing, { name: undefined }).success).to.equal(true)
  })
})

/** Options of validation: creating and changing, by any principal, and as part of another object. */
function waysOf(resource: ResourceModel): fc.Arbitrary<ValidationOptions> {
  const refs = Object.entries(resource.attributes).filter(([, { kind }]) => kind === 'ref')
  return fc.record(
    {
      mode: fc.constantFrom('create', 'update'),
      manage: fc.boolean(),
      presumes: fc.boolean(),
      parentAs: fc.constantFrom('id', ...refs.map(([name]) => name)),
    },
    { requiredKeys: ['mode', 'manage'] },
  )
}

/** Objects with some attributes, most of them valid. */
function inputOf(resource: ResourceModel): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 20, arbitrary: treeOf(resource.attributes, 2) },
    { weight: 1, arbitrary: STRANGE },
  )
}

function treeOf(fields: Fields, depth: number): fc.Arbitrary<unknown> {
  const known = Object.entries(fields).map(([name, field]) => [name, sentOf(field, depth)] as const)
  const required = known.filter(([name]) => fields[name]?.required)
  return fc
    .tuple(
      fc.record(Object.fromEntries(required)),
      fc.subarray(
        known.map(([name]) => name),
        { maxLength: Math.min(6, known.length) },
      ),
    )
    .chain(([always, names]) => {
      const some = Object.fromEntries(known.filter(([name]) => names.includes(name)))
      return fc.record(some).map((more) => ({ ...more, ...always }))
    })
}

function sentOf(field: Field, depth: number): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 30, arbitrary: fittingOf(field, depth) }, { weight: 1, arbitrary: STRANGE })
}

function fittingOf(field: Field, depth: number): fc.Arbitrary<unknown> {
  switch (field.kind) {
    case 'constant':
      return fc.constant(field.value)
    case 'group':
      return treeOf(field.fields, depth)
    case 'rows':
      return fc.array(treeOf(field.fields, depth), { maxLength: 2 })
    case 'one':
      return relatedOf(field.to, depth)
    case 'many':
      return fc.array(relatedOf(field.to, depth), { maxLength: 2 })
    case 'one_of':
      return fc.constantFrom(
        ...Object.keys(field.values),
        ...(Array.isArray(field.values) ? field.values : []),
      )
    default:
      return fc.constantFrom(...FITTING)
  }
}

function relatedOf(name: string, depth: number): fc.Arbitrary<unknown> {
  const target = model.find(name)
  if (!target || depth === 0) return fc.constantFrom({}, { id: 'x_1' }, null)
  return treeOf(target.attributes, depth - 1)
}

/** Values that are valid for some kinds of field. */
const FITTING = [
  1,
  0,
  29.99,
  '29.99',
  '12',
  true,
  false,
  'true',
  '',
  null,
  'Ada',
  'ada@example.com',
  '212 555 0100',
  '10001',
  '12/35',
  '2030-01-31',
  '2030-01-31T10:00:00Z',
  CARD,
  '021000021',
  '123',
  '****4242',
  'trans_1',
  'USD',
  'US',
  { a: 'true' },
]
const STRANGE = fc.constantFrom<unknown>(
  null,
  '',
  'x',
  -1,
  1e99,
  [],
  {},
  [[]],
  { 0: {}, 1: null },
  { id: 1 },
  { colour: 1 },
  `card ${CARD}`,
  '\0',
  'a'.repeat(1001),
  '****',
)
