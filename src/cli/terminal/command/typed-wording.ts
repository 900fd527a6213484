import type { FlagDescription } from '../../../schema/flag-description.js'
import { isObject, type Json, valueAt } from '../../../schema/json.js'
import { attributesOf, type Resource } from '../../../schema/resource.js'
import type { ClientRequest } from '../client/client.js'
import { registry } from '../declarations/declared-registry.js'
import type { Wording } from '../failure/failure.js'
import { shapeOf } from '../input/shape.js'
import { nearestAttribute } from '../suggestions/nearest.js'
import { type TypedFlag, typedFlag, typedIn } from './typed-flag.js'

/** A flag with the path of its attribute. */
export type AttributeFlag = Pick<FlagDescription, 'name' | 'path'>

/** A command line: its words, and the values of its arguments. */
export interface TypedLine {
  readonly argv: readonly string[]
  readonly args: readonly unknown[]
}

/**
 * Wording of problems that names typed or missing flags, or the typed argument, instead of attributes. It suggests a
 * name for an unknown attribute.
 */
export function typedWording(
  request: Pick<ClientRequest, 'path' | 'body'>,
  descriptions: readonly AttributeFlag[],
  { argv, args }: TypedLine,
): Wording {
  const typed = typedIn(argv)
  const sent = (path: readonly string[]) => (isObject(request.body) ? valueAt(request.body, path) : undefined)
  return (path, problem) => {
    const name =
      named(path, problem, descriptions, typed) ?? typedValue(sent(path), args, typed) ?? path.join('.')
    const near =
      problem === 'Unknown attribute' ? nearestAttribute(meant(path), namesAt(request.path)) : undefined
    return `${name}: ${problem}${near === undefined ? '' : `; did you mean ${near}?`}`
  }
}

function named(
  path: readonly string[],
  problem: string,
  descriptions: readonly AttributeFlag[],
  typed: readonly TypedFlag[],
): string | undefined {
  const dotted = path.join('.')
  const flag = descriptions.find((each) => each.path.join('.') === dotted)
  const isTyped = flag && typed.some(({ name }) => name === flag.name)
  if (isTyped || (flag && problem === 'Required')) return `--${flag.name}`
  return typedFlag(path, meant(path), typed)
}

/** The argument that was typed for a value of the body, or else the name of its flag. */
function typedValue(
  value: Json | undefined,
  args: readonly unknown[],
  typed: readonly TypedFlag[],
): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value)
  if (args.includes(text)) return text
  const flag = typed.find((each) => each.value === text)
  return flag && `--${flag.name}`
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
