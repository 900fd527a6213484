import {
  alias,
  date,
  datetime,
  derived,
  digits,
  email,
  expiry,
  flag,
  group,
  integer,
  json,
  many,
  money,
  number,
  one,
  oneOf,
  phone,
  postalCode,
  ref,
  rows,
  secret,
  text,
} from '../../../../src/schema/field.js'
import { resource } from '../../../../src/schema/resource.js'

/** A field of every kind that items of a stored list can have. */
const inItems = {
  text: text(),
  email: email(),
  phone: phone(),
  postal_code: postalCode(),
  digits: digits(),
  expiry: expiry(),
  money: money({ sign: 'any' }),
  number: number(),
  integer: integer(),
  flag: flag(),
  one_of: oneOf(['red', 'green', 'blue']),
  date: date(),
  datetime: datetime(),
} as const

/** Kinds of field that groups can have. */
const inGroups = {
  ...inItems,
  secret: secret({ min: 4, max: 17 }),
  ref: ref('thing'),
  json: json(),
  rows: rows({ text: text() }),
} as const

/** A resource with every kind of field at every depth: its relations lead to further things. */
export const thing = resource({
  name: 'thing',
  plural: 'things',
  prefix: 'thing_',
  summary: 'What filters are tried on.',
  fields: {
    ...inGroups,
    alias: alias(['within', 'text']),
    derived: derived(['past', 'high', 'low'], {
      cases: [
        { is: 'past', when: [{ column: 'datetime', operator: '<=', value: 'now' }] },
        { is: 'high', when: [{ column: 'integer', operator: '>', value: 0 }] },
      ],
      otherwise: 'low',
    }),
    within: group({ ...inGroups, deeper: group(inGroups) }),
    list: rows(inItems),
    next_id: ref('thing'),
    parent_id: ref('thing'),
    next: one('thing', { by: 'next_id', nonDefault: true }),
    children: many('thing', { by: 'parent_id' }),
  },
  moves: 'nothing',
  least: 'owner',
  ownership: [],
  columns: ['id'],
  indexes: [],
})
