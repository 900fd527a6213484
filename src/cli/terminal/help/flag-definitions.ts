import type { Definition } from './definitions.js'

/** Properties of a flag that help shows, from the manifest or the declaration. */
export interface HelpFlag {
  readonly type: string
  readonly hidden?: boolean | undefined
  readonly helpGroup?: string | undefined
  readonly char?: string | undefined
  readonly summary?: string | undefined
  readonly helpValue?: string | readonly string[] | undefined
  readonly options?: readonly string[] | undefined
  readonly default?: unknown
  readonly env?: string | undefined
  readonly required?: boolean | undefined
  readonly multiple?: boolean | undefined
  readonly allowNo?: boolean | undefined
}

export type NamedFlag = readonly [name: string, flag: HelpFlag]

/** Minimum number of flags below one name that are folded into a line. */
const MIN_FOLDED = 3
/** Blanks in place of a flag's short form, such as `-o, `. */
const BLANK = '    '

export function flagDefinitions(flags: readonly NamedFlag[]): Definition[] {
  return flags.map(definitionOf)
}

/**
 * Definitions in which one line, such as `--payment-method.…`, replaces all flags below a name. A last line
 * names the flag that shows them all.
 */
export function foldedDefinitions(flags: readonly NamedFlag[]): Definition[] {
  const below = (group: string) => flags.filter((flag) => isNested(flag) && groupOf(flag) === group)
  const folded = [...new Set(flags.map(groupOf))].filter((group) => below(group).length >= MIN_FOLDED)
  if (folded.length === 0) return flagDefinitions(flags)
  const lines = flags.flatMap((flag): Definition[] => {
    const group = groupOf(flag)
    if (!isNested(flag) || !folded.includes(group)) return [definitionOf(flag)]
    const members = below(group)
    return members[0] === flag
      ? [{ term: `${BLANK}--${group}.…`, meaning: insideOf(members), isCut: true }]
      : []
  })
  return [...lines, { term: `${BLANK}--help-all`, meaning: 'help with every flag' }]
}

function groupOf([name]: NamedFlag): string {
  return name.split('.')[0] ?? name
}

function isNested([name]: NamedFlag): boolean {
  return name.includes('.')
}

/** Summary of the flags below a name, groups first: `22 flags: card.…, account-holder, …` */
function insideOf(members: readonly NamedFlag[]): string {
  const inner = members.map(([name]) => name.split('.').slice(1))
  const groups = inner.filter(({ length }) => length > 1).map(([group]) => `${group}.…`)
  const plain = inner.filter(({ length }) => length === 1).map(([name]) => name)
  return `${members.length} flags: ${[...new Set([...groups, ...plain])].join(', ')}`
}

function definitionOf([name, flag]: NamedFlag): Definition {
  return { term: termOf(name, flag), meaning: meaningOf(flag) }
}

function termOf(name: string, { type, char, helpValue, options, multiple, allowNo }: HelpFlag) {
  const value =
    type === 'boolean' ? '' : ` ${helpValue ?? (options ? '<one>' : '<value>')}${multiple ? '…' : ''}`
  const short = char === undefined ? BLANK : `-${char}, `
  return `${short}--${allowNo ? '[no-]' : ''}${name}${value}`
}

function meaningOf({ summary = '', options, default: preset, env, required }: HelpFlag): string {
  const notes = [
    options && `one of ${options.join(', ')}`,
    (typeof preset === 'string' || typeof preset === 'number') && `${preset} by default`,
    env,
  ].filter((note) => typeof note === 'string')
  return [`${required ? '(required) ' : ''}${summary}`, ...notes].join('; ')
}
