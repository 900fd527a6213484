import process from 'node:process'
import { Help } from '@oclif/core/help'
import { UsageError } from '../failure/failure.js'
import { lookOf } from '../output/look.js'
import { wrapped } from '../output/wrap.js'
import { unknownCommandText } from '../unknown-command.js'
import { commandPage, type HelpCommandData } from './command-page.js'
import type { Definition } from './definitions.js'
import { commandLines, pageText, pageWidth } from './sections.js'

/** What people begin with. */
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

/** Help as oclif asks for it, from the manifest alone: pages as wide as the terminal. */
export class PayctlHelp extends Help {
  /** Throws a `UsageError` that names the nearest command if there is neither a command nor a topic of that name. */
  override async showHelp(argv: string[]): Promise<void> {
    const words = wordsOf(argv)
    const isWhole = argv.includes('--help-all')
    const found = words.findLastIndex((_, index) => this.config.commandIDs.includes(idOf(words, index)))
    const command = this.config.findCommand(idOf(words, found))
    if (words.length === 0) this.show(this.rootPage())
    else if (command) this.show(this.pageOf(command, isWhole))
    else if (this.config.findTopic(words.join(':'))) this.show(this.topicPage(words.join(':')))
    else throw new UsageError(unknownCommandText(words, this.config.commandIDs))
  }

  private show(text: string): void {
    process.stdout.write(text)
  }

  private get look() {
    return lookOf(process.stdout, process.env)
  }

  private pageOf(command: HelpCommandData, isWhole: boolean): string {
    return commandPage({ command, commands: this.below(command.id), isWhole, look: this.look })
  }

  private topicPage(name: string): string {
    const { look } = this
    const description = this.config.findTopic(name)?.description ?? ''
    const topic = `payctl ${name.replaceAll(':', ' ')}`
    return pageText(
      wrapped(description, pageWidth(look)),
      [
        { head: 'USAGE', lines: [`${topic} <command>`, `${topic} <command> --help`] },
        { head: 'COMMANDS', definitions: this.below(name) },
      ],
      look,
    )
  }

  private rootPage(): string {
    const { look } = this
    const width = pageWidth(look)
    const topics = this.sortedTopics.filter(({ name }) => !name.includes(':'))
    const isTopic = (id: string) => topics.some(({ name }) => name === id)
    const commands = this.sortedCommands.filter(({ id }) => !id.includes(':') && !isTopic(id))
    return pageText(
      [...wrapped(this.config.pjson.description ?? '', width), this.config.userAgent],
      [
        { head: 'EXAMPLES', lines: FIRST_EXAMPLES.flatMap((example) => commandLines(example, width - 2)) },
        {
          head: 'TOPICS',
          definitions: topics.map(({ name, description = '' }) => ({ term: name, meaning: description })),
        },
        { head: 'COMMANDS', definitions: commands.map(definitionOf) },
        { head: 'MORE', definitions: MORE },
      ],
      look,
    )
  }

  /** The commands below a topic, and below topics of it. */
  private below(name: string): readonly Definition[] {
    return this.sortedCommands.filter(({ id }) => id.startsWith(`${name}:`)).map(definitionOf)
  }
}

function definitionOf({ id, summary = '' }: { readonly id: string; readonly summary?: string }): Definition {
  return { term: id.replaceAll(':', ' '), meaning: summary }
}

function idOf(words: readonly string[], last: number): string {
  return words.slice(0, last + 1).join(':')
}

/** The words that name a command or topic: those before flags, whatever stands in front of them to get help. */
function wordsOf(argv: readonly string[]): readonly string[] {
  const rest = argv.filter((word) => !['--help', '--help-all', '-h'].includes(word))
  const end = rest.findIndex((word) => word.startsWith('-'))
  return rest.slice(0, end === -1 ? undefined : end).flatMap((word) => word.split(':'))
}
