/** A flag as typed on the command line. */
export interface TypedFlag {
  readonly name: string
  readonly value: string
}

/** Parameters of lists, with the flags that produce them. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  fields: ['fields', 'columns', 'sum', 'group-by'],
  order_by: ['order-by'],
  group_by: ['group-by'],
}

/**
 * Flags of a command line, each with its value after `=`, or else with the next word. The next word need not be the
 * flag's value.
 */
export function typedIn(argv: readonly string[]): readonly TypedFlag[] {
  const end = argv.indexOf('--')
  const line = end === -1 ? argv : argv.slice(0, end)
  return line.flatMap((word, at) => {
    const [, long, value] = /^--([\w.-]+)(?:=(.*))?$/s.exec(word) ?? []
    if (long !== undefined) return [{ name: long, value: value ?? line[at + 1] ?? '' }]
    const [, filter] = /^-w=?(.*)$/s.exec(word) ?? []
    return filter === undefined ? [] : [{ name: 'where', value: filter || (line[at + 1] ?? '') }]
  })
}

/**
 * The typed flag that set an attribute of a request. If the flag may name several attributes, the attribute
 * follows, as in `--where customer.name`. Undefined if no typed flag matches.
 */
export function typedFlag(
  path: readonly string[],
  attribute: string,
  typed: readonly TypedFlag[],
): string | undefined {
  const parameter = PARAMETERS[path.length > 1 ? (path[0] ?? '') : '']
  if (parameter) {
    const flag = typed.find(({ name, value }) => parameter.includes(name) && value.includes(attribute))
    return flag && `--${flag.name} ${attribute}`
  }
  const isFiltered = ({ name, value }: TypedFlag) =>
    name === 'where' && plain(value.split('=', 1)[0] ?? '').includes(attribute)
  if (typed.some(isFiltered)) return `--where ${attribute}`
  const names = flagNames(path.filter((name) => !/^\d+$/.test(name)))
  const flag = typed.find(({ name }) => names.includes(name))
  return flag && `--${flag.name}`
}

/**
 * Names that a flag for an attribute may have. They come from the whole path or its last name; references
 * may lack `id`, dates may end with `-after` or `-before`.
 */
function flagNames(path: readonly string[]): readonly string[] {
  const written = [path.join('.'), path.at(-1) ?? ''].map((name) => name.replaceAll('_', '-'))
  return written.flatMap((name) => {
    const moment = name.replace(/-(at|date)$/, '')
    return [
      name,
      name.replace(/-ids?$/, ''),
      ...[name, moment].flatMap((one) => [`${one}-after`, `${one}-before`]),
    ]
  })
}

/** Dotted form of a name: `customer.name` for `customer[name]`. */
function plain(name: string): string {
  return name.replaceAll(']', '').replaceAll('[', '.').trim()
}
