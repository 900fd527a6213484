import type { AnswerSchema, Path } from '../input/shape.js'

/** Groups of attributes in the order of their importance to operators. */
const GROUPS = ['id', 'type', 'money', 'status', 'date', 'name', 'rest'] as const

/**
 * Rank of each column, by its declaration. The column of rank 0 is the last to be omitted on a narrow
 * screen. The id and the type stay longest, then amount, status, date and name. Columns of the same group
 * keep their order.
 */
export function ranksOf(paths: readonly Path[], shape: AnswerSchema): readonly number[] {
  const order = paths
    .map((path, index) => ({
      index,
      group: GROUPS.indexOf(groupOf(path, shape)),
      repeat: repeatOf(paths, index, shape),
    }))
    .toSorted((a, b) => a.repeat - b.repeat || a.group - b.group || a.index - b.index)
  return paths.map((_, column) => order.findIndex(({ index }) => index === column))
}

/**
 * Rank within a group: 0 for the first column of the group, otherwise 1. So the first columns of all groups come before
 * the second columns, and before attributes without a group.
 */
function repeatOf(paths: readonly Path[], index: number, shape: AnswerSchema): number {
  const group = groupOf(paths[index] ?? [], shape)
  if (group === 'rest') return 1
  const before = paths.slice(0, index).filter((path) => groupOf(path, shape) === group)
  return Math.min(before.length, 1)
}

function groupOf(path: Path, shape: AnswerSchema): (typeof GROUPS)[number] {
  const last = path.at(-1) ?? ''
  const kind = shape.field(path)?.kind
  if (last === 'type' && kind === 'one_of') return 'type'
  if (last === 'status') return 'status'
  if (last === 'name' || last === 'full_name' || last === 'legal_name') return 'name'
  switch (kind) {
    case 'money':
      return 'money'
    case 'date':
    case 'datetime':
      return 'date'
    case 'id':
      return 'id'
    default:
      return 'rest'
  }
}
