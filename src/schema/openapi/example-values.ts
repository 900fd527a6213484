import type { Schema } from '../json-schema.js'
import { LARGEST, showMoney } from '../money.js'
import { LONGEST_TEXT, type ScalarField } from '../read.js'

const DATE: Schema = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2031-01-31'] }
const DATETIME: Schema = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
  examples: ['2031-01-31 14:05:00'],
}
const EXPIRY: Schema = { type: 'string', pattern: '^(0[1-9]|1[0-2])/\\d{2}$', examples: ['12/39'] }
const ID: Schema = { type: 'string', pattern: '^[\\w-]{1,64}$' }

/** Schema of a field's value in an answer. */
export function shownValue(field: ScalarField): Schema {
  switch (field.kind) {
    case 'text':
    case 'postal_code':
    case 'file':
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
      return EXPIRY
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
  }
}

/** Schema of a field's value in a request, which may have more forms than in an answer. */
export function writtenValue(field: ScalarField): Schema {
  switch (field.kind) {
    case 'text':
      return { type: 'string', maxLength: field.max ?? LONGEST_TEXT }
    case 'file':
      return {
        type: 'string',
        pattern: '^data:[^,]*,',
        examples: ['data:text/plain;name=terms.txt;base64,SGVsbG8='],
      }
    case 'digits':
    case 'secret':
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
      return { type: 'string', examples: ['2031-01-31'] }
    case 'datetime':
      return { type: 'string', examples: ['2031-01-31 14:05:00'] }
    case 'expiry':
      return { type: 'string', examples: ['12/39'] }
    case 'email':
    case 'one_of':
    case 'ref':
    case 'id':
      return shownValue(field)
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
