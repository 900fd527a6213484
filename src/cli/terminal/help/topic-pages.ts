import type { Look } from '../output/look.js'
import { wrapped } from '../output/wrap.js'
import type { Definition } from './definitions.js'
import { commandLines, pageText, pageWidth } from './help-sections.js'

/** Commands to begin with. */
const FIRST_EXAMPLES = [
  'payctl transactions pay',
  "payctl transactions list --where 'amount=>100' --created-after 2w",
  'payctl batch run refunds.csv --as refund --dry-run',
  'payctl serve',
]

const MORE: readonly Definition[] = [
  { term: 'payctl <topic>', meaning: 'the commands of a topic' },
  {
    term: 'payctl <command> --help',
    meaning: 'examples and flags of a command; --help-all: every flag of it',
  },
  { term: 'payctl help filters', meaning: 'how lists are filtered, ordered and added up' },
  { term: 'payctl help flags', meaning: 'flags that every command has' },
  { term: 'payctl help exit-codes', meaning: 'what a script may rely on' },
]

/** Contents of `payctl --help`. */
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
      { head: 'EXAMPLES', lines: FIRST_EXAMPLES.flatMap((example) => commandLines(example, width - 2)) },
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
