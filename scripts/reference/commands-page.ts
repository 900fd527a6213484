import type { LocalRights } from '../../src/cli/terminal/local/local-rights.js'
import { code, page, table } from './markdown.js'

/** The parts of oclif's manifest that are read. */
export interface Manifest {
  readonly commands: { readonly [id: string]: CommandOf }
}

interface CommandOf {
  readonly rights?: Exclude<LocalRights, 'anybody'>
  readonly summary?: string
  readonly description?: string
  readonly examples?: readonly string[]
  readonly args: { readonly [name: string]: { readonly description?: string; readonly required?: boolean } }
  readonly flags: { readonly [name: string]: FlagOf }
}

interface FlagOf {
  readonly char?: string
  readonly type: 'boolean' | 'option'
  readonly summary?: string
  readonly env?: string
  readonly helpGroup?: string
  readonly helpValue?: string
  readonly options?: readonly string[]
  readonly default?: unknown
  readonly required?: boolean
}

/** Ids of commands by topic. */
export function topicsOf({ commands }: Manifest): ReadonlyMap<string, readonly string[]> {
  const topics = new Map<string, string[]>()
  for (const id of Object.keys(commands)) {
    const topic = id.split(':')[0] ?? id
    topics.set(topic, [...(topics.get(topic) ?? []), id])
  }
  return topics
}

/** Page of a topic with all its commands. */
export function topicPage({ commands }: Manifest, topic: string, ids: readonly string[]): string {
  const parts = ids.flatMap((id) => (commands[id] ? commandParts(id, commands[id]) : []))
  return page(`# payctl ${topic}`, GLOBAL_NOTE, ...parts)
}

const GLOBAL_NOTE = 'Every command also takes the [global flags](README.md#flags-of-every-command).'

/** Table of the flags that every command takes. */
export function globalFlags({ commands }: Manifest): string {
  const [command] = Object.values(commands)
  return flagTable(Object.entries(command?.flags ?? {}).filter(([, flag]) => flag.helpGroup === 'GLOBAL'))
}

function commandParts(id: string, { summary, description, args, examples = [], flags }: CommandOf): string[] {
  const own = Object.entries(flags).filter(([, flag]) => flag.helpGroup !== 'GLOBAL')
  const named = Object.entries(args).map(([name, arg]) => [code(name.toUpperCase()), arg.description ?? ''])
  return [
    `## payctl ${id.replaceAll(':', ' ')}`,
    [summary, description].filter((text) => text !== undefined).join('\n\n'),
    examples.length > 0 ? `\`\`\`sh\n${examples.join('\n')}\n\`\`\`` : '',
    named.length > 0 ? table(['argument', ''], named) : '',
    own.length > 0 ? flagTable(own) : '',
  ]
}

function flagTable(flags: readonly (readonly [name: string, flag: FlagOf])[]): string {
  return table(
    ['flag', '', 'variable'],
    flags.map(([name, flag]) => [written(name, flag), meaning(flag), flag.env ? code(flag.env) : '']),
  )
}

function written(name: string, { char, type, helpValue, options }: FlagOf): string {
  const value = type === 'boolean' ? '' : ` ${options ? '<one>' : (helpValue ?? '<value>')}`
  return code(`${char ? `-${char}, ` : ''}--${name}${value}`)
}

function meaning({ summary = '', options, default: preset, required }: FlagOf): string {
  const notes = [
    options && `one of ${options.map(code).join(', ')}`,
    required && 'required',
    typeof preset === 'string' || typeof preset === 'number' ? `default ${code(String(preset))}` : undefined,
  ].filter((note) => typeof note === 'string')
  return [summary, ...notes].join('; ')
}
