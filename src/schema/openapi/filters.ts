import { component, type Schema } from '../json-schema.js'

export const FILTER = 'Filter'
export const FILTERS = 'Filters'

/** Schemas of filter parameters. Spec: "Query parameters", filter operators. */
export const FILTER_SCHEMAS: { readonly [name: string]: Schema } = {
  [FILTER]: {
    description:
      'A value, with an operator before it (equal by default; `!`, `<`, `<=`, `>`, `>=`, `?*text` contains, `?text*` begins with) and alternatives (`|`). If there are several filters, all must hold.',
    anyOf: [
      { type: ['string', 'number', 'boolean'] },
      { type: 'array', items: { type: ['string', 'number', 'boolean'] } },
    ],
  },
  [FILTERS]: {
    type: 'object',
    description:
      'Filters on attributes inside, at any depth: `{"card":{"card_brand":"visa"}}` means `[card][card_brand]=visa`.',
    additionalProperties: { anyOf: [component('schemas', FILTER), component('schemas', FILTERS)] },
  },
}
