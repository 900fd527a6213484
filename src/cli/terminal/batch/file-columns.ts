import type { BatchKind } from '../../../schema/batch-kind.js'
import { type FlagDescription, flagsOf } from '../../../schema/flag-description.js'
import { isForbiddenName, type JsonObject } from '../../../schema/json.js'
import { jsonProblem } from '../../../schema/json-problem.js'
import type { Registry } from '../../../schema/registry.js'
import { attributesOf, type Resource } from '../../../schema/resource.js'
import { UsageError } from '../failure/failure.js'
import type { DateOrder } from '../input/date-order.js'
import { pathOf } from '../input/shape.js'
import { nearestAttribute } from '../suggestions/nearest.js'
import { guessedAttribute } from './guessed-headers.js'
import { refuseFile } from './refusal.js'
import type { Renaming } from './renaming.js'

/** A column of a file. Its attribute is undefined if the column is skipped. */
export interface FileColumn {
  readonly header: string
  readonly attribute: Pick<FlagDescription, 'path' | 'kind'> | undefined
  /** Whether the attribute was guessed from the header. */
  readonly isGuessed?: boolean
  /** Order of day and month in its dates. */
  readonly dates?: DateOrder
}

/** First column of a failed file, with the reason of each row; skipped when the file is read. */
export const REASON = 'why it failed'

/** An attribute without a column, whose value another column implies. */
export interface Implied {
  readonly by: string
  readonly path: readonly string[]
  readonly value: string
}

const METHOD_TYPES: readonly Implied[] = [
  { by: 'payment_method.card.card_number', path: ['payment_method', 'type'], value: 'card' },
  {
    by: 'payment_method.bank_account.account_number',
    path: ['payment_method', 'type'],
    value: 'bank_account',
  },
]

/**
 * Attributes implied by the columns of a file for every row, except attributes that have their own column in the file.
 */
export function impliedBy(
  columns: readonly FileColumn[],
  attributes: readonly FlagDescription[],
): readonly Implied[] {
  const named = new Set(columns.map(({ attribute }) => attribute?.path.join('.')))
  const known = new Set(attributes.map(({ path }) => path.join('.')))
  const isOpen = ({ by, path }: Implied) =>
    named.has(by) && !named.has(path.join('.')) && known.has(patternOf(path))
  const methods = METHOD_TYPES.filter(isOpen)
  const lines = columns
    .flatMap(({ attribute }) => (attribute ? lineTypesBy(attribute.path) : []))
    .filter(isOpen)
  return [...(methods.length === 1 ? methods : []), ...lines]
}

/** Implied type of an invoice line with an amount: `charge`. */
function lineTypesBy(path: readonly string[]): readonly Implied[] {
  const [list = '', index = '', name] = path
  if (name !== 'amount') return []
  return [{ by: path.join('.'), path: [list, index, 'entry_type'], value: 'charge' }]
}

function idColumn(name: string, doc: string): FlagDescription {
  return { name, path: [name], kind: 'text', choices: [], required: true, doc }
}

const PAYMENT = idColumn('payment', 'id of the payment')
const ID = idColumn('id', 'id of the object to change')

/** Attributes that a row of a kind may have, those of related lists included. */
export function attributesOfKind(registry: Registry, kind: BatchKind): readonly FlagDescription[] {
  const { resource, preset, about, columns } = kind
  if (about === 'update') return [ID, ...flagsOf(registry, resource, 'update')]
  const all = flagsOf(registry, resource, 'create').filter(({ path: [name = ''] }) => !(name in preset))
  const own = columns ? all.filter(({ path: [name = ''] }) => columns.includes(name)) : all
  // A refund without an amount refunds the whole payment.
  if (about) return [PAYMENT, ...own.map((one) => ({ ...one, required: false }))]
  return [...own, ...attributesOfLists(registry, resource)]
}

/** Placeholder in a path for the index of an object in a list. */
const ANY_INDEX = '*'

/** Attributes of the objects in related lists, as in `items[0].amount`. */
function attributesOfLists(registry: Registry, resource: Resource): readonly FlagDescription[] {
  return Object.entries(attributesOf(resource)).flatMap(([name, field]) => {
    const target = field.kind === 'many' && !field.readonly ? registry.find(field.to) : undefined
    if (field.kind !== 'many' || !target) return []
    return flagsOf(registry, target, 'create')
      .filter(({ path: [first] }) => first !== field.by)
      .map((one) => ({ ...one, path: [name, ANY_INDEX, ...one.path], required: false }))
  })
}

/** A path in which `ANY_INDEX` replaces every index, as in `items.*.amount`. */
function patternOf(path: readonly string[]): string {
  return path.map((name) => (/^\d{1,3}$/.test(name) ? ANY_INDEX : name)).join('.')
}

function isInList({ path }: FlagDescription): boolean {
  return path.includes(ANY_INDEX)
}

/** Columns of a header with their attributes. Throws a `Refusal` that names every unknown column. */
export function fileColumnsOf(
  headers: readonly string[],
  attributes: readonly FlagDescription[],
  renaming: Renaming,
): readonly FileColumn[] {
  const problems: JsonObject = {}
  const seen = new Set<string>()
  const columns = headers.map((text, index): FileColumn => {
    const header = text.trim()
    const name = renaming.get(header) ?? header
    // A column without a name is skipped. The survey of the file refuses such a column if it has cells.
    if (name === '' || (header === REASON && index === 0)) return { header, attribute: undefined }
    const column = columnNamed(header, name, attributes)
    const path = column.attribute?.path.join('.') ?? ''
    if (!column.attribute) problems[header] = unknown(header, attributes)
    else if (seen.has(path)) problems[header] = `Is a duplicate of ${path}`
    seen.add(path)
    return column
  })
  for (const path of missingPaths(columns, attributes)) problems[path] = 'There is no such column'
  for (const header of renaming.keys())
    if (!columns.some((column) => column.header === header))
      problems[`--map ${header}`] = 'There is no such column'
  if (Object.keys(problems).length > 0) throw refuseFile(problems)
  return columns
}

/** An error with attributes replaced by the headers of the file. */
export function byHeaders(columns: readonly FileColumn[], error: string): string {
  return columns.reduce((text, { header, attribute }) => {
    const name = attribute?.path.join('.')
    if (name === undefined || name === header) return text
    return text.startsWith(`${name}: `)
      ? header + text.slice(name.length)
      : text.replace(`; ${name}: `, `; ${header}: `)
  }, error)
}

/** The column that identifies rows. */
export interface KeyColumn {
  /** Name of its attribute, or its header if the column is skipped. */
  readonly name: string
  /** Index in a row of CSV. */
  readonly index: number
}

/** The column of a header that `--key` names by its header or attribute. Throws a `UsageError`. */
export function keyColumnOf(key: string, columns: readonly FileColumn[]): KeyColumn {
  const path = pathOf(key).join('.')
  const isNamed = ({ header, attribute }: FileColumn) => header === key || attribute?.path.join('.') === path
  const index = columns.findIndex(isNamed)
  const column = columns[index]
  if (!column) {
    const headers = columns.map(({ header }) => header).join(', ')
    throw new UsageError(`Expected --key to name a column of the file (${headers}), but received: ${key}`)
  }
  if (column.attribute?.kind === 'secret')
    throw new UsageError(`Expected --key to name a column without numbers or secrets, but received: ${key}`)
  return { name: column.attribute?.path.join('.') ?? column.header, index }
}

/** The attribute that `--key` names in lines of JSON. Throws a `UsageError` for a secret. */
export function keyAttributeOf(key: string, attributes: readonly FlagDescription[]): KeyColumn {
  const name = pathOf(key).join('.')
  const isSecret = attributes.some(({ path, kind }) => path.join('.') === name && kind === 'secret')
  if (!isSecret) return { name, index: 0 }
  throw new UsageError(`Expected --key to name a column without numbers or secrets, but received: ${key}`)
}

function columnNamed(header: string, name: string, attributes: readonly FlagDescription[]): FileColumn {
  const exact = attributeNamed(name, attributes)
  if (exact) return { header, attribute: exact }
  const guess = guessedAttribute(
    name,
    attributes.filter((attribute) => !isInList(attribute)),
  )
  return guess ? { header, attribute: guess, isGuessed: true } : { header, attribute: undefined }
}

/** Paths of required attributes that the file neither has nor implies. */
function missingPaths(
  columns: readonly FileColumn[],
  attributes: readonly FlagDescription[],
): readonly string[] {
  const known = new Set([
    ...columns.map(({ attribute }) => attribute?.path.join('.')),
    ...impliedBy(columns, attributes).map(({ path }) => path.join('.')),
  ])
  return attributes
    .filter(({ required, path }) => required && !known.has(path.join('.')))
    .map(({ path }) => path.join('.'))
}

/**
 * Finds an attribute by its path, written with dots, brackets or dashes, in upper or lower case. Any name
 * inside an attribute of free JSON is accepted, as a text.
 */
function attributeNamed(name: string, attributes: readonly FlagDescription[]): FileColumn['attribute'] {
  const path = pathOf(name.toLowerCase().replaceAll('-', '_').replaceAll(' ', '_'))
  const pattern = patternOf(path)
  const found = attributes.find((attribute) => attribute.path.join('.') === pattern)
  if (found) return { path, kind: found.kind }
  const [first, ...rest] = pathOf(name)
  const free = attributes.find(({ path, kind }) => kind === 'json' && path.length === 1 && path[0] === first)
  const isNamed = rest.length > 0 && rest.every(isTaken)
  return free && isNamed ? { path: [...free.path, ...rest], kind: 'text' } : undefined
}

/** Whether free JSON may have an attribute of this name. */
function isTaken(name: string): boolean {
  return !isForbiddenName(name) && jsonProblem({ [name]: null }, { isKept: false }) === undefined
}

/** Delimiters looked for in an unknown header, which may be several columns that were read as one. */
const DELIMITERS = [';', ',', '\t', '|'] as const

function unknown(header: string, attributes: readonly FlagDescription[]): string {
  const names = attributes.map(({ path }) => path.join('.').replace(ANY_INDEX, '0'))
  const near = nearestAttribute(header, names)
  const delimiter = DELIMITERS.find((character) => header.includes(character))
  if (delimiter !== undefined && near === undefined)
    return `No such attribute; --delimiter '${delimiter === '\t' ? 'tab' : delimiter}' reads it as ${header.split(delimiter).length} columns`
  const hint = near === undefined ? '' : `; did you mean ${near}?`
  return `No such attribute${hint || ';'} --map '${header}=…' renames it, --map '${header}=' leaves it out`
}
