import { type Input, isTree } from '../../schema/types.js'

/** A question to the payer; the payment stores the answer in `attrs` under `name`. */
export interface DataField {
  readonly name: string
  readonly label: string
  readonly isRequired: boolean
  /** Title of the section in which the page shows the question; undefined for none. */
  readonly section: string | undefined
}

/** Number of questions that a page may have. */
const MAX_FIELDS = 20
const LONGEST = 200

const SHAPE = 'Must be a list of objects with label, name and required'

/**
 * Reads `additional_datafields`: a list of fields, or of sections with `fields`. Each field has a `label` (or `title`)
 * and a `name`, by default the label. It is required if `required` is set or `optional` is false. Returns a text with
 * the problem if there is one. See docs/interface.md, "Payment links".
 */
export function readDataFields(value: unknown): readonly DataField[] | string {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) return SHAPE
  const fields = value.flatMap((item: unknown) =>
    isTree(item) && Array.isArray(item.fields) ? readSection(item, item.fields) : [readField(item)],
  )
  const known = fields.filter((field) => field !== undefined)
  if (known.length < fields.length) return SHAPE
  if (known.length > MAX_FIELDS) return `Must have at most ${MAX_FIELDS} fields`
  const names = new Set(known.map(({ name }) => name))
  return names.size < known.length ? 'Must name each field once' : known
}

function readSection(
  { section, title, label }: Input,
  fields: readonly unknown[],
): readonly (DataField | undefined)[] {
  const name = textOf(section ?? title ?? label)
  return fields.map((field) => readField(field, name))
}

function readField(value: unknown, section?: string): DataField | undefined {
  if (!isTree(value)) return undefined
  const { label, title, name, required, optional } = value
  const shown = textOf(label ?? title)
  const kept = name === undefined || name === null ? shown : textOf(name)
  if (shown === undefined || kept === undefined || kept === '__proto__') return undefined
  const isRequired = flagOf(required) ?? (flagOf(optional) === undefined ? false : flagOf(optional) === false)
  return { name: kept, label: shown, isRequired, section }
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return text === '' || text.length > LONGEST ? undefined : text
}

/** Reads a flag; forms send texts instead of true and false. */
function flagOf(value: unknown): boolean | undefined {
  if (value === true || value === 'true' || value === '1') return true
  return value === false || value === 'false' || value === '0' ? false : undefined
}
