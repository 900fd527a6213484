import type { ValueField } from '../field.js'
import { LARGEST, showMoney } from '../money.js'
import { described, type Schema } from './json.js'

/** How a field's value looks in an answer. */
export function shownSchema(field: ValueField): Schema {
  return described(shown(field), field.doc)
}

/** What a client may send as a field's value; the forms that are understood are more than those that are shown. */
export function writtenSchema(field: Exclude<ValueField, { kind: 'json' | 'rows' }>): Schema {
  return described(written(field), field.doc)
}

const DATE = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2031-01-31'] } as const
const DATETIME = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
  examples: ['2031-01-31 14:05:00'],
} as const
const ID = { type: 'string', pattern: '^[\\w-]{1,64}$' } as const

function shown(field: Exclude<ValueField, { kind: 'rows' }> | ValueField): Schema {
  switch (field.kind) {
    case 'text':
    case 'postal_code':
      return { type: 'string' }
    case 'email':
      return { type: 'string', format: 'email' }
    case 'phone':
      return { type: 'string', pattern: '^\\+?\\d{7,15}$' }
    case 'digits':
      return { type: 'string', pattern: '^\\d+$' }
    case 'secret':
      return { type: 'string', pattern: '^x+\\d+$', examples: ['xxxxxxxxxxxx4242'] }
    case 'expiry':
      return { type: 'string', pattern: '^(0[1-9]|1[0-2])/\\d{2}$', examples: ['12/39'] }
    case 'money':
    case 'number':
      return { type: 'number' }
    case 'integer':
      return { type: 'integer' }
    case 'flag':
      return { type: 'boolean' }
    case 'one_of':
      return { type: 'string', enum: field.values }
    case 'ref':
    case 'id':
      return ID
    case 'date':
      return DATE
    case 'datetime':
      return DATETIME
    case 'json':
      return {}
    case 'rows':
      return { type: 'array' }
  }
}

function written(field: Exclude<ValueField, { kind: 'json' | 'rows' }>): Schema {
  switch (field.kind) {
    case 'text':
      return { type: 'string', maxLength: field.max ?? 1000 }
    case 'digits':
      return { type: ['string', 'integer'] }
    case 'secret':
      return { type: ['string', 'integer'] }
    case 'phone':
    case 'postal_code':
      return { type: ['string', 'integer'] }
    case 'money':
      return { type: ['number', 'string'], maximum: showMoney(LARGEST), ...leastMoney(field.sign) }
    case 'number':
    case 'integer':
      return { type: [field.kind, 'string'], ...bounds(field.min, field.max) }
    case 'flag':
      return { type: ['boolean', 'string', 'integer'] }
    case 'date':
    case 'datetime':
      return { type: 'string', examples: field.kind === 'date' ? DATE.examples : DATETIME.examples }
    case 'expiry':
      return { type: 'string', examples: ['12/39'] }
    case 'email':
    case 'one_of':
    case 'ref':
    case 'id':
      return shown(field)
  }
}

function leastMoney(sign: 'positive' | 'any' | undefined): Schema {
  switch (sign) {
    case 'positive':
      return { exclusiveMinimum: 0 }
    case 'any':
      return { minimum: -showMoney(LARGEST) }
    case undefined:
      return { minimum: 0 }
  }
}

function bounds(minimum: number | undefined, maximum: number | undefined): Schema {
  return { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) }
}
