import type { Field, Fields } from '../../src/schema/field.js'
import type { Registry } from '../../src/schema/registry.js'
import { code, table } from './markdown.js'
import { linkTo } from './names.js'

/** Table of fields. A field inside a group or a list is named by its path. */
export function fieldTable(registry: Registry, fields: Fields): string {
  return table(['field', 'type', 'flags', 'description'], fieldRows(registry, fields, []))
}

function fieldRows(registry: Registry, fields: Fields, path: readonly string[]): string[][] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const here = [...path, field.kind === 'rows' ? `${name}[]` : name]
    const own = [code(here.join('.')), typeOf(registry, field), flagsOf(field), field.doc ?? '']
    const inner = field.kind === 'group' || field.kind === 'rows' ? field.fields : {}
    return [own, ...fieldRows(registry, inner, here)]
  })
}

/** Type of a field, in the words of the specification. */
function typeOf(registry: Registry, field: Field): string {
  switch (field.kind) {
    case 'text':
    case 'constant':
      return 'string'
    case 'one_of':
    case 'derived':
      return `string: ${field.values.map(code).join(', ')}`
    case 'file':
      return 'file'
    case 'address':
      return field.shows === 'end' ? 'datetime' : 'address'
    case 'digits':
      return 'numeric'
    case 'secret':
      return 'numeric, shown masked'
    case 'money':
      return 'number, an amount'
    case 'integer':
      return 'int'
    case 'flag':
      return 'bool'
    case 'id':
      return 'id'
    case 'ref':
      return `id of ${linkTo(registry, field.to)}`
    case 'alias':
      return `the same as ${code(field.of.join('.'))}`
    case 'group':
      return 'object'
    case 'rows':
      return 'list of objects'
    case 'one':
      return `object: ${linkTo(registry, field.to)}`
    case 'many':
      return `list of ${linkTo(registry, field.to)}`
    case 'email':
    case 'phone':
    case 'postal_code':
    case 'expiry':
    case 'number':
    case 'date':
    case 'datetime':
    case 'json':
      return field.kind
  }
}

/** Flags of a field, in the words of the specification's tables. */
function flagsOf(field: Field): string {
  const { required, readonly, manage, nonDefault, transient, shown, default: preset } = field
  const flags = [
    required && 'required',
    readonly === true && 'readonly',
    typeof readonly === 'string' && `readonly: ${readonly}`,
    manage && 'needs `manage`',
    (nonDefault || (field.kind === 'many' && !shown)) && 'non-default',
    transient && 'never stored',
    preset !== undefined && `default ${code(String(preset))}`,
  ]
  return flags.filter((flag) => typeof flag === 'string').join(', ')
}
