import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { document, type Schema } from './document.js'

const ID = 'document'

/** Validator for the schemas of the OpenAPI document. */
const ajv = new Ajv2020({
  strict: true,
  // The schema of a new object has `required` beside `$ref`.
  strictRequired: false,
  allowUnionTypes: true,
  strictTypes: false,
  formats: { email: true },
  // Optimizing the compiled code takes longer than it saves.
  code: { optimize: false },
})
ajv.addVocabulary([
  'openapi',
  'info',
  'servers',
  'security',
  'tags',
  'paths',
  'webhooks',
  'components',
  'example',
])

let isKnown = false
const compiled = new WeakMap<Schema, ValidateFunction>()
/** Compiled schemas by their text: most answers share a few schemas. */
const byText = new Map<string, ValidateFunction>()

/** Ways in which a value violates a schema of the document, each in a sentence. Empty if the value is valid. */
export function broken(schema: Schema, value: unknown): string[] {
  const validate = compiled.get(schema) ?? compile(schema)
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message = '', params }) => {
    const about = Object.values(params).filter((it) => typeof it === 'string')
    return `${instancePath || '/'} ${message} (${about.join(', ')})`
  })
}

function compile(schema: Schema): ValidateFunction {
  if (!isKnown) ajv.addSchema(document, ID)
  isKnown = true
  const text = JSON.stringify(schema).replaceAll('"#/', `"${ID}#/`)
  const validate = byText.get(text) ?? ajv.compile(JSON.parse(text))
  byText.set(text, validate)
  compiled.set(schema, validate)
  return validate
}
