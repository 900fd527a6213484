import type { QueryPair } from '../../../engine/core/request/request.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import { parseName } from '../../../schema/attribute-name.js'
import type { Field } from '../../../schema/field.js'
import { fieldAt } from '../../../schema/nested-fields.js'
import type { PageAddress } from '../../html/page-address.js'
import { fieldLabel } from '../elements/value.js'
import type { FilterChip, FilterForm, FilterOption } from './filter-html.js'
import type { ListQuery } from './list-query.js'

/** Words for the operators with which a filter's value may begin. */
const OPERATORS: readonly FilterWords[] = [
  { value: '>=', label: 'at least' },
  { value: '<=', label: 'at most' },
  { value: '>', label: 'more than' },
  { value: '<', label: 'less than' },
  { value: '?*', label: 'contains' },
  { value: '?', label: 'begins with' },
  { value: '!', label: 'is not' },
  { value: '', label: 'is' },
]

interface FilterWords {
  readonly value: string
  readonly label: string
}

/** Characters that have a meaning in a filter's value and must be escaped. */
const SPECIAL = /[\\!<>|?*]/g

/** The address of the list with other filters, or with a form open. */
type ListAddress = (filters: readonly QueryPair[], more?: readonly QueryPair[]) => PageAddress

/** A chip for each filter. */
export function chipsOf({ filters }: ListQuery, address: ListAddress): readonly FilterChip[] {
  return filters.map(([name, value], index) => ({
    label: `${fieldLabel(name)} ${valueWords(value)}`,
    edit: address(filters, [['filter_by', name]]),
    remove: address(filters.filter((_, at) => at !== index)),
  }))
}

/** Attributes to filter by: attributes with an index first, then the other columns of the table. */
export function filterNames(resource: ResourceModel): readonly string[] {
  const indexed = resource.indexes.map(([first = '']) => first)
  const names = [...indexed, ...resource.columns, 'created_at', 'id']
  return [...new Set(names)].filter((name) => {
    const field = filteredField(resource, name)
    return field !== undefined && isFilterable(field)
  })
}

/** The form for a filter by one attribute; undefined if the attribute cannot be filtered by. */
export function filterForm(
  resource: ResourceModel,
  { filters, others, order }: ListQuery,
  by: string,
  action: PageAddress,
): FilterForm | undefined {
  const field = filteredField(resource, by)
  if (field === undefined || !isFilterable(field)) return undefined
  const current = filters.find(([name]) => name === by)?.[1] ?? ''
  const { operator, rest } = split(current)
  const kept = [...filters.filter(([name]) => name !== by), ...others]
  return {
    action,
    label: fieldLabel(by),
    by,
    doc: field.doc,
    operators: operatorsFor(field).map((option) => ({
      ...option,
      isChosen: current !== '' && option.value === operator,
    })),
    input: inputFor(field, rest),
    kept: order === undefined ? kept : [...kept, ['order_by', order]],
  }
}

/** The filters of a list after the form was sent; a filter without a value is removed. */
export function filtersAfter(
  resource: ResourceModel,
  { filters, filterBy = '', filterIs, filterValues = [] }: ListQuery,
): readonly QueryPair[] {
  const others = filters.filter(([name]) => name !== filterBy)
  const field = filteredField(resource, filterBy)
  const isKnown = field !== undefined && operatorsFor(field).some(({ value }) => value === filterIs)
  const values = filterValues.map((value) => value.trim()).filter((value) => value !== '')
  if (!isKnown || values.length === 0) return others
  const end = filterIs.startsWith('?') ? '*' : ''
  const written = values.map((value) => filterIs + value.replace(SPECIAL, String.raw`\$&`) + end)
  return [...others, [filterBy, written.join('|')]]
}

/** The field of an attribute's name in bracket form; undefined if it is not declared. */
export function filteredField(resource: ResourceModel, name: string): Field | undefined {
  return fieldAt(resource.model, resource.attributes, parseName(name) ?? [])
}

function isFilterable(field: Field): boolean {
  return !['group', 'one', 'many', 'rows', 'json', 'address', 'file', 'constant'].includes(field.kind)
}

function operatorsFor({ kind }: Field): readonly FilterWords[] {
  const withValues = (...values: readonly string[]) => OPERATORS.filter(({ value }) => values.includes(value))
  switch (kind) {
    case 'money':
    case 'number':
    case 'integer':
    case 'date':
    case 'datetime':
      return withValues('>=', '<=', '>', '<', '')
    case 'text':
    case 'email':
    case 'phone':
    case 'postal_code':
    case 'digits':
      return withValues('?*', '?', '!', '').toReversed()
    default:
      return withValues('')
  }
}

function inputFor(field: Field, value: string): FilterForm['input'] {
  const chosen = value.split('|')
  const choice = (option: string): FilterOption => ({
    value: option,
    label: option.replaceAll('_', ' '),
    isChosen: chosen.includes(option),
  })
  switch (field.kind) {
    case 'one_of':
    case 'derived':
      return { kind: 'choices', options: field.values.map(choice) }
    case 'flag':
      return { kind: 'choices', options: ['true', 'false'].map(choice) }
    case 'date':
    case 'datetime':
      return { kind: 'text', type: 'date', value: value.slice(0, 10) }
    case 'money':
    case 'number':
    case 'integer':
      return { kind: 'text', type: 'text', inputmode: 'decimal', value }
    default:
      return { kind: 'text', type: 'text', value }
  }
}

/** A filter's value as people read it, as `is declined or voided`. */
export function valueWords(value: string): string {
  const parts = value.split(/(?<!\\)\|/).map(split)
  return parts
    .map(({ operator, rest }, index) => {
      const words = OPERATORS.find((one) => one.value === operator)?.label ?? 'is'
      const text = rest === '' ? 'nothing' : rest.replaceAll('_', ' ')
      return index > 0 && operator === parts[0]?.operator ? text : `${words} ${text}`
    })
    .join(' or ')
}

/** Splits a filter's value into its operator and the rest, in which escapes are resolved. */
function split(value: string): { readonly operator: string; readonly rest: string } {
  const { value: operator } = OPERATORS.find((one) => value.startsWith(one.value)) ?? { value: '' }
  const rest = value.slice(operator.length)
  const plain = operator.startsWith('?') ? rest.replace(/(?<!\\)\*$/, '') : rest
  return { operator, rest: plain.replaceAll(/\\([\\!<>|?*])/g, '$1') }
}
