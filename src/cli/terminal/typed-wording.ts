import type { FlagDescription } from '../../schema/flags.js'
import { attributesOf } from '../../schema/resource.js'
import { registry } from './declared.js'
import type { Wording } from './failure/failure.js'
import { shapeOf } from './input/shape.js'
import { nearestAttribute } from './nearest.js'

/** Names attributes by the flags that were typed or are missing, and guesses what was meant by those that do not exist. */
export function typedWording(
  requestPath: string,
  descriptions: readonly FlagDescription[],
  argv: readonly string[],
): Wording {
  return (path, problem) => {
    const dotted = path.join('.')
    const flag = descriptions.find((each) => each.path.join('.') === dotted)
    const isTyped = flag && argv.some((word) => word.split('=', 1)[0] === `--${flag.name}`)
    const name = isTyped || (flag && problem === 'Required') ? `--${flag.name}` : dotted
    const near =
      problem === 'Unknown attribute' ? nearestAttribute(meant(path), namesAt(requestPath)) : undefined
    return `${name}: ${problem}${near === undefined ? '' : `; did you mean ${near}?`}`
  }
}

/** The attribute that a path is about, which may stand in a function or after a minus: `order_by`, `desc(amount)`. */
function meant([first = '', ...rest]: readonly string[]): string {
  const isParameter = first === 'fields' || first === 'order_by'
  const dotted = (isParameter ? rest : [first, ...rest]).join('.')
  return /^-?(?:\w+\()?(.*?)\)?$/.exec(dotted)?.[1] ?? dotted
}

/** The attributes of the resource of a path, those of groups and nested objects included. */
function namesAt(requestPath: string): readonly string[] {
  const resource = registry.byPath(requestPath.split('/')[1] ?? '')
  if (!resource) return []
  const inner = shapeOf(registry, resource).attributes.map((path) => path.join('.'))
  return [...Object.keys(attributesOf(resource)), ...inner]
}
