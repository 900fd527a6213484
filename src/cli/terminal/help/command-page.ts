import type { Look } from '../output/look.js'
import { cutTo } from '../output/width.js'
import { wrapped } from '../output/wrap.js'
import type { Definition } from './definitions.js'
import { flagDefinitions, foldedDefinitions, type HelpFlag, type NamedFlag } from './flag-definitions.js'
import { commandLines, type HelpSection, pageText, pageWidth } from './help-sections.js'

/** Properties of a command that its page needs, from the manifest or the declaration. */
export interface HelpCommandData {
  readonly id: string
  readonly summary?: string | undefined
  readonly usage?: string | readonly string[] | undefined
  readonly examples?: readonly (string | { readonly command: string })[] | undefined
  readonly args: Readonly<Record<string, HelpArgument>>
  readonly flags: Readonly<Record<string, HelpFlag>>
}

interface HelpArgument {
  readonly description?: string | undefined
  readonly required?: boolean | undefined
}

export interface CommandPage {
  readonly command: HelpCommandData
  /** Commands below this command, with their summaries. */
  readonly commands: readonly Definition[]
  /** Whether groups of flags are unfolded. */
  readonly isWhole: boolean
  /** Attributes by which a list can be filtered. */
  readonly attributes?: readonly Definition[] | undefined
  readonly look: Look
}

/**
 * Help of a command, examples first, because most readers look for them. Unless the whole page is
 * requested, global flags share one line, and so do the flags of each nested object.
 */
export function commandPage({ command, commands, isWhole, attributes = [], look }: CommandPage): string {
  const width = pageWidth(look)
  const flags = Object.entries(command.flags).filter(([, { hidden }]) => !hidden)
  const inGroup = (group: string | undefined) => flags.filter(([, { helpGroup }]) => helpGroup === group)
  const named = [...new Set(flags.map(([, { helpGroup }]) => helpGroup))].filter(isNamedGroup)
  const global = inGroup('GLOBAL')
  const sections: readonly HelpSection[] = [
    { head: 'EXAMPLES', lines: examplesOf(command).flatMap((example) => commandLines(example, width - 2)) },
    { head: 'USAGE', lines: commandLines(usageOf(command), width - 2) },
    { head: 'ARGUMENTS', definitions: Object.entries(command.args).map(argumentOf) },
    { head: 'COMMANDS', definitions: commands },
    { head: 'FLAGS', definitions: (isWhole ? flagDefinitions : foldedDefinitions)(inGroup(undefined)) },
    { head: 'ATTRIBUTES for --where, --order-by, --fields', definitions: attributes },
    ...named.map((group) => ({ head: `${group} FLAGS`, definitions: flagDefinitions(inGroup(group)) })),
    {
      head: 'GLOBAL FLAGS',
      ...(isWhole ? { definitions: flagDefinitions(global) } : { lines: globalLine(global, width) }),
    },
  ]
  return pageText(wrapped(command.summary ?? '', width), sections, look)
}

function isNamedGroup(group: string | undefined): group is string {
  return group !== undefined && group !== 'GLOBAL'
}

/** Names of the global flags that fit into a line, and the command that describes them. */
function globalLine(flags: readonly NamedFlag[], width: number): string[] {
  if (flags.length === 0) return []
  const where = ': payctl help flags'
  const names = flags.map(([name]) => `--${name}`).join(', ')
  return [cutTo(names, width - 2 - where.length) + where]
}

function examplesOf({ examples = [] }: HelpCommandData): readonly string[] {
  return examples.map((example) => (typeof example === 'string' ? example : example.command))
}

function usageOf({ id, usage }: HelpCommandData): string {
  const [first = id] = typeof usage === 'string' ? [usage] : (usage ?? [])
  return `payctl ${first}`
}

function argumentOf([name, { description = '', required }]: [string, HelpArgument]): Definition {
  return { term: required ? name.toUpperCase() : `[${name.toUpperCase()}]`, meaning: description }
}
