import type { Field } from '../field.js'
import type { ScalarField } from '../read.js'
import type { Registry } from '../registry.js'

/** A relation is an attribute only if its resource is declared. */
export function isDeclared(registry: Registry, field: Field): boolean {
  return !(field.kind === 'one' || field.kind === 'many') || registry.find(field.to) !== undefined
}

/** Whether a field is a single value, neither JSON nor anything with fields inside. */
export function isScalar(field: Field): field is ScalarField {
  switch (field.kind) {
    case 'constant':
    case 'alias':
    case 'derived':
    case 'address':
    case 'group':
    case 'one':
    case 'many':
    case 'rows':
    case 'json':
      return false
    default:
      return true
  }
}
