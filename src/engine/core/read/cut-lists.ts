import type { RowShape, ShapeStep } from '../../../model/resource-model.js'
import type { ManyField } from '../../../schema/field.js'
import { LARGEST_LIMIT, MAX_LINKS, type Resource } from '../../../schema/resource.js'

/**
 * Maximum number of objects of a nested list that are shown with their parent in a list. The path of the
 * nested list shows all of them, page by page.
 */
export const MAX_NESTED = 1_000
/**
 * Maximum number of objects of a nested list that are shown with a parent that is read by the parent's own
 * path.
 */
export const MAX_NESTED_OF_ONE = 10_000

/** Nested list of which an answer shows only the beginning. */
interface CutList {
  readonly parent: Resource
  readonly id: string
  readonly name: string
  readonly field: ManyField
  /** Id of the last object that is shown. */
  readonly last: string
  readonly shape: RowShape
}

/** Notes which nested lists of an answer are cut. */
export class CutLists {
  private readonly attributes = new Set<string>()
  private readonly links: string[] = []

  constructor(
    /** Whether the answer is one object, which shows longer lists. */
    readonly isOne: boolean,
  ) {}

  /** Notes a cut list. `path` leads to the list from the object that the answer shows. */
  note([head = '', ...rest]: readonly string[], { parent, id, name, field, last, shape }: CutList): void {
    const attribute = head + rest.map((part) => `[${part}]`).join('')
    this.attributes.add(attribute)
    if (this.links.length === MAX_LINKS) return
    const order: [string, string][] = field.newestFirst ? [] : [['order_by', 'created_at']]
    const query = new URLSearchParams([
      ...fieldsOfShape(shape).map((written): [string, string] => ['fields', written]),
      ...order,
      ['limit', String(LARGEST_LIMIT)],
      ['after', last],
    ])
    this.links.push(`</${parent.plural}/${id}/${name}?${query}>; rel="next"; anchor="${attribute}"`)
  }

  /** Headers of the answer; `next` is the link to its next page. */
  headers(next?: string): Record<string, string> {
    const headers: Record<string, string> = {}
    const links = [...(next === undefined ? [] : [`<${next}>; rel="next"`]), ...this.links]
    if (links.length > 0) headers['Link'] = links.join(', ')
    if (this.attributes.size > 0) headers['X-Truncated'] = [...this.attributes].join(', ')
    return headers
  }
}

/** Values of `fields` that request the shape; empty for the default shape. */
function fieldsOfShape({ isDefault, steps }: RowShape): readonly string[] {
  return isDefault ? [] : [namesOf(steps, '').join()]
}

function namesOf(steps: readonly ShapeStep[], group: string): string[] {
  return steps.flatMap((step) => {
    const written = group === '' ? step.name : `${group}[${step.name}]`
    if (step.kind === 'group') return namesOf(step.steps, written)
    const isWhole = (step.kind !== 'one' && step.kind !== 'many') || step.shape.isDefault
    return isWhole ? [written] : namesOf(step.shape.steps, written)
  })
}
