import type { Json } from '../../../schema/json.js'
import type { AnswerSchema } from '../input/shape.js'

export type Entry = readonly [name: string, value: Json]

/**
 * Groups in the order in which they are shown: identity, money, other attributes, ids, times. Nested parts
 * follow.
 */
const SECTIONS = ['head', 'money', 'more', 'ids', 'times'] as const

type Section = (typeof SECTIONS)[number] | 'part'

/** Attributes in groups; each nested object or list is a group of its own, at the end. */
export function sectionsOf(entries: readonly Entry[], shape: AnswerSchema): readonly (readonly Entry[])[] {
  const columns = shape.columns.map(([name]) => name)
  const of = (section: Section) =>
    entries.filter(([name, value]) => sectionOf(name, value, shape, columns) === section)
  const head = of('head').toSorted(([a], [b]) => columns.indexOf(a) - columns.indexOf(b))
  const plain = SECTIONS.slice(1).reduce<readonly (readonly Entry[])[]>(
    (before, section) => joined(before, of(section)),
    [head],
  )
  return [...plain, ...of('part').map((part) => [part])].filter(({ length }) => length > 0)
}

/** Adds a group; a single line joins the previous group. */
function joined(before: readonly (readonly Entry[])[], section: readonly Entry[]) {
  if (section.length !== 1) return [...before, section]
  return [...before.slice(0, -1), [...(before.at(-1) ?? []), ...section]]
}

function sectionOf(
  name: string,
  value: Json,
  shape: AnswerSchema,
  columns: readonly (string | undefined)[],
): Section {
  if (value !== null && typeof value === 'object') return 'part'
  if (name === 'created_at' || name === 'modified_at') return 'times'
  if (columns.includes(name)) return 'head'
  switch (shape.field([name])?.kind) {
    case 'money':
      return 'money'
    case 'ref':
      return 'ids'
    case 'date':
    case 'datetime':
      return 'times'
    default:
      return 'more'
  }
}
