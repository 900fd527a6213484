import { expect } from 'chai'
import { resources } from '../../src/resources/resource-table.js'
import { date, digits, group, json, many, money, one, oneOf, text } from '../../src/schema/field.js'
import { type FlagMode, flagsOf } from '../../src/schema/flag-description.js'
import { registryOf } from '../../src/schema/registry.js'
import { type Resource, resource } from '../../src/schema/resource.js'

const plain = {
  moves: 'nothing',
  least: 'owner',
  ownership: [],
  columns: [],
  indexes: [],
  prefix: 'x_',
  summary: '',
} as const

const wheel = resource({
  ...plain,
  name: 'wheel',
  plural: 'wheels',
  fields: { size: money({ required: true }), hub: one('hub', { by: 'hub_id' }) },
})
const hub = resource({ ...plain, name: 'hub', plural: 'hubs', fields: { colour: text() } })
const cart = resource({
  ...plain,
  name: 'cart',
  plural: 'carts',
  fields: {
    kind: oneOf(['hand', 'ox'], { required: true, readonly: 'update', doc: 'how it is drawn' }),
    colour: oneOf(['red', 'blue'], { required: true, default: 'red' }),
    load_limits: group({ due_date: date({ required: true }), computed: text({ readonly: 'function' }) }),
    code: digits({ transient: true }),
    seat: text({ readonly: 'SessionPermission' }),
    wheel: one('wheel', { by: 'wheel_id' }),
    hidden: one('wheel', { by: 'hidden_id', nonDefault: true }),
    parts: many('wheel', { by: 'cart_id' }),
    ghost: one('ghost', { by: 'ghost_id' }),
    extra: json(),
  },
})

const registry = registryOf({ cart, wheel, hub })
const named = (declaration: Resource, mode: FlagMode) =>
  new Map(flagsOf(registry, declaration, mode).map((description) => [description.name, description]))

describe('flagsOf', () => {
  const create = named(cart, 'create')

  it('makes a flag for each attribute that may be set, in the order of the declaration', () => {
    expect([...create.keys()]).to.deep.equal([
      'kind',
      'colour',
      'load-limits.due-date',
      'code',
      'seat',
      'wheel.size',
      'extra',
      'attrs',
    ])
  })

  it('omits nested objects for an update, and attributes that are set only on creation', () => {
    expect([...named(cart, 'update').keys()]).to.deep.equal([
      'colour',
      'load-limits.due-date',
      'code',
      'seat',
      'extra',
      'attrs',
    ])
  })

  it('includes kind, choices, path, description and field', () => {
    expect(create.get('kind')).to.deep.equal({
      name: 'kind',
      path: ['kind'],
      kind: 'choice',
      choices: ['hand', 'ox'],
      required: true,
      doc: 'how it is drawn',
      field: cart.fields.kind,
    })
    expect(create.get('code')).to.include({ kind: 'secret' })
    expect(create.get('wheel.size')).to.deep.include({ kind: 'money', path: ['wheel', 'size'], doc: 'size' })
  })

  it('does not require attributes with a default or those of an optional object', () => {
    expect([...create.values()].filter(({ required }) => required).map(({ name }) => name)).to.deep.equal([
      'kind',
    ])
  })

  it('has no flag for an attribute that a view presets', () => {
    const declared = registryOf(resources)
    const names = flagsOf(declared, resources.customer, 'create').map(({ name }) => name)
    expect(names).to.include('name').and.not.include('type')
  })

  it('includes the fields of a payment method on a transaction', () => {
    const names = flagsOf(registryOf(resources), resources.transaction, 'create').map(({ name }) => name)
    expect(names).to.include.members(['amount', 'payment-method.type', 'payment-method.card.expiry'])
    expect(names.filter((name) => name.startsWith('customer.'))).to.deep.equal([])
  })
})
