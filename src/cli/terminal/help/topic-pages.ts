import type { Look } from '../output/look.js'
import { wrapped } from '../output/wrap.js'
import type { Definition } from './definitions.js'
import { pageText, pageWidth } from './help-sections.js'
import { ROOT_GROUPS } from './root-groups.js'

const MORE: readonly Definition[] = [
  { term: 'payctl <command> --help', meaning: 'examples and flags; --help-all: all of them' },
  { term: 'payctl --help-all', meaning: 'every topic and command' },
  { term: 'payctl help filters', meaning: 'also: test-cards, flags, environment, exit-codes' },
]

/** The page of `payctl --help`: commands by task, within 40 lines of 80 columns. */
export function rootPage(description: string, look: Look): string {
  const width = pageWidth(look)
  const groups = ROOT_GROUPS.map(({ head, commands, also }) => ({
    head,
    definitions: Object.entries(commands).map(([id, meaning]) => ({
      term: id.replaceAll(':', ' '),
      meaning,
    })),
    after: wrapped(`also: ${also.join(', ')}`, width - 2),
  }))
  return pageText(wrapped(description, width), [...groups, { head: 'MORE', definitions: MORE }], look)
}

/** Contents of `payctl --help-all`. */
export interface Overview {
  /** Description of payctl, and its version. */
  readonly description: string
  readonly version: string
  readonly topics: readonly Definition[]
  /** Commands without a topic. */
  readonly commands: readonly Definition[]
}

export function overviewPage({ description, version, topics, commands }: Overview, look: Look): string {
  const width = pageWidth(look)
  return pageText(
    [...wrapped(description, width), version],
    [
      { head: 'TOPICS', definitions: topics },
      { head: 'COMMANDS', definitions: commands },
      { head: 'MORE', definitions: MORE },
    ],
    look,
  )
}

/** Page of a topic: its meaning and its commands. */
export function topicPage(topic: Definition, commands: readonly Definition[], look: Look): string {
  const typed = `payctl ${topic.term.replaceAll(':', ' ')}`
  return pageText(
    wrapped(topic.meaning, pageWidth(look)),
    [
      { head: 'USAGE', lines: [`${typed} <command>`, `${typed} <command> --help`] },
      { head: 'COMMANDS', definitions: commands },
    ],
    look,
  )
}
