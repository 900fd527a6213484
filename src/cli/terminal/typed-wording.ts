import type { FlagDescription } from '../../schema/flag-description.js'
import { attributesOf, type Resource } from '../../schema/resource.js'
import { registry } from './declared-registry.js'
import type { Wording } from './failure/failure.js'
import { shapeOf } from './input/shape.js'
import { nearestAttribute } from './nearest.js'
import { type TypedFlag, typedFlag, typedIn } from './typed-flag.js'

/**
 * Wording of problems that names typed or missing flags instead of attributes, and suggests a name for an
 * unknown attribute.
 */
export function typedWording(
  requestPath: string,
  descriptions: readonly FlagDescription[],
  argv: readonly string[],
): Wording {
  const typed = typedIn(argv)
  return (path, problem) => {
    const name = named(path, problem, descriptions, typed)
    const near =
      problem === 'Unknown attribute' ? nearestAttribute(meant(path), namesAt(requestPath)) : undefined
    return `${name}: ${problem}${near === undefined ? '' : `; did you mean ${near}?`}`
  }
}

function named(
  path: readonly string[],
  problem: string,
  descriptions: readonly FlagDescription[],
  typed: readonly TypedFlag[],
): string {
  const dotted = path.join('.')
  const flag = descriptions.find((each) => each.path.join('.') === dotted)
  const isTyped = flag && typed.some(({ name }) => name === flag.name)
  if (isTyped || (flag && problem === 'Required')) return `--${flag.name}`
  return typedFlag(path, meant(path), typed) ?? dotted
}

/** The attribute of a path, without function and minus: `amount` for `order_by`, `desc(amount)`. */
function meant([first = '', ...rest]: readonly string[]): string {
  const isParameter = first === 'fields' || first === 'order_by' || first === 'group_by'
  const dotted = (isParameter ? rest : [first, ...rest]).join('.')
  return /^-?(?:\w+\()?(.+?)\)?$/.exec(dotted)?.[1] ?? dotted
}

/** Attributes of the resource of a path, including groups and related objects. */
function namesAt(requestPath: string): readonly string[] {
  const resource = registry.byPath(requestPath.split('/')[1] ?? '')
  if (!resource) return []
  const inner = shapeOf(registry, resource).attributes.map((path) => path.join('.'))
  return [...Object.keys(attributesOf(resource)), ...inner, ...namesOfRelated(resource)]
}

/**
 * Attributes of related objects, such as `customer.name`. Filters may use them, although they are not shown
 * by default.
 */
function namesOfRelated(resource: Resource): readonly string[] {
  return Object.entries(attributesOf(resource)).flatMap(([name, field]) => {
    const target = field.kind === 'one' || field.kind === 'many' ? registry.find(field.to) : undefined
    return target ? Object.keys(attributesOf(target)).map((inner) => `${name}.${inner}`) : []
  })
}
