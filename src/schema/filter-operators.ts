import type { Field } from './field.js'

/** Whether values of a field have an order that `<` and `>` in filters compare. */
export function isOrdered({ kind }: Pick<Field, 'kind'>): boolean {
  switch (kind) {
    case 'secret':
    case 'flag':
    case 'json':
    case 'rows':
      return false
    default:
      return true
  }
}

/** Whether filters find a part of a field's values, as in `?*book*`. */
export function isSearched({ kind }: Pick<Field, 'kind'>): boolean {
  return kind !== 'secret' && kind !== 'money' && kind !== 'number' && kind !== 'flag'
}
