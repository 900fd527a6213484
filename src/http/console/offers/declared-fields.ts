import type { FlagDescription } from '../../../schema/flag-description.js'
import { promptedLabel } from '../../../schema/form.js'
import { isObject, type Json, type JsonObject, valueAt } from '../../../schema/json.js'
import { jsonOfFields } from '../../api/parse-form.js'
import type { FormChoice } from '../../html/form.js'
import { fieldLabel } from '../elements/value.js'
import type { WriteValues } from '../write/console-write.js'
import type { WriteField } from '../write/write-fields.js'

/** Objects that forms offer for selection, by the name of their resource. For other resources, ids are typed. */
export type KnownObjects = ReadonlyMap<string, readonly FormChoice[]>

/** Maximum number of names in the path of an attribute. */
const MAX_DEPTH = 5

/** Maximum number of choices that are shown as radio buttons; more choices are shown as a drop-down list. */
const MAX_RADIOS = 4

const NOT_SET: FormChoice = { value: '', label: 'not set' }

/** Form field for an attribute. `object` is the object that is changed; it is empty for a new object. */
export function declaredField(flag: FlagDescription, object: JsonObject, known: KnownObjects): WriteField {
  const { kind, field, required } = flag
  const name = fieldName(flag)
  const value = textOf(valueAt(object, flag.path)) ?? textOf(field?.default)
  const common = { name, label: attributeLabel(flag), hint: hintOf(flag), value, required }
  const objects = known.get(resourceIn(field) ?? '')
  const empty = required || field?.default !== undefined ? [] : [NOT_SET]
  switch (kind) {
    case 'boolean':
      return { ...common, kind: 'yes' }
    case 'choice': {
      const options = flag.choices.map((one) => ({ value: one, label: one.replaceAll('_', ' ') }))
      const isLong = options.length > MAX_RADIOS
      return { ...common, kind: isLong ? 'select' : 'choice', options: [...empty, ...options] }
    }
    case 'secret':
      return { ...common, kind: 'text', value: undefined, type: 'password', autocomplete: 'off' }
    case 'money':
    case 'number':
      return { ...common, kind: 'text', inputmode: 'decimal', autocomplete: 'off' }
    case 'integer':
      return { ...common, kind: 'text', inputmode: 'numeric', autocomplete: 'off' }
    case 'json':
      return objects ? { ...common, kind: 'boxes', options: objects } : { ...common, kind: 'area' }
    case 'date':
    case 'datetime':
      return { ...common, kind: 'text', autocomplete: 'off', placeholder: FORMATS[kind] }
    case 'text':
    case 'file':
      if (objects) return { ...common, kind: 'select', options: [...empty, ...objects] }
      return {
        ...common,
        kind: 'text',
        autocomplete: 'off',
        type: field?.kind === 'email' ? 'email' : 'text',
      }
  }
}

const FORMATS = { date: 'YYYY-MM-DD', datetime: 'YYYY-MM-DD HH:MM:SS' }

/**
 * Builds a request body from the fields that differ from the object; a new object is empty. Values stay texts, which
 * the core parses; an empty text clears the attribute.
 */
export function declaredBody(
  flags: readonly FlagDescription[],
  values: WriteValues,
  object: JsonObject,
): JsonObject {
  const filled = flags.flatMap((flag): [string, string][] => {
    const value = values.get(fieldName(flag)) ?? ''
    const [first = '', ...rest] = flag.path
    const isSame = value === (textOf(valueAt(object, flag.path)) ?? '')
    return isSame ? [] : [[`${first}${rest.map((name) => `[${name}]`).join('')}`, value]]
  })
  const body = jsonOfFields(filled, MAX_DEPTH)
  return isObject(body) ? body : {}
}

/** The resource whose ids an attribute holds. */
export function resourceIn(field: FlagDescription['field']): string | undefined {
  if (field?.kind === 'ref') return field.to
  return field?.kind === 'json' ? field.idsOf : undefined
}

/** The name of an attribute's field, the same as in errors of the core: `credentials.secret_key`. */
function fieldName({ path }: Pick<FlagDescription, 'path'>): string {
  return path.join('.')
}

/** Label of an attribute: the words in the resource's `form`, or else its name. */
export function attributeLabel({ form, path }: Pick<FlagDescription, 'form' | 'path'>): string {
  return form ? capital(promptedLabel(form)) : fieldLabel(path.at(-1) ?? '')
}

/** Hint for a field: the `doc` of its attribute, or an example if the label already says the same. */
function hintOf(flag: FlagDescription): string | undefined {
  const { doc, form } = flag
  const said = (text: string) => text.toLowerCase().replace(/^(what|whether it is|the) /, '')
  const isSaid = said(attributeLabel(flag)).startsWith(said(doc))
  return isSaid ? form?.example && `As ${form.example}` : capital(doc)
}

/** A value as the text in its field. Ids are joined with commas, as the core reads them. */
function textOf(value: Json | undefined): string | undefined {
  if (value === null || value === undefined) return undefined
  if (Array.isArray(value)) return value.map(String).join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
