import process from 'node:process'
import type { Command } from '@oclif/core/command'
import { Help } from '@oclif/core/help'
import { UsageError } from '../failure/failure.js'
import { lookOf } from '../output/look.js'
import { unknownCommandText } from '../unknown-command.js'
import type { Definition } from './definitions.js'

/** Help for oclif, from the manifest alone. The code that draws pages is loaded only for them. */
export class PayctlHelp extends Help {
  /** Throws a `UsageError` that names the nearest command if there is neither a command nor a topic of that name. */
  override async showHelp(argv: string[]): Promise<void> {
    const words = wordsOf(argv)
    const { commandIDs } = this.config
    const found = words.findLastIndex((_, index) => commandIDs.includes(idOf(words, index)))
    const command = this.config.findCommand(idOf(words, found))
    const topic = this.config.findTopic(words.join(':'))
    const look = lookOf(process.stdout, process.env)
    const { overviewPage, topicPage } = await import('./topic-pages.js')
    if (words.length === 0) process.stdout.write(overviewPage(this.overview(), look))
    else if (command) {
      const { commandPage } = await import('./command-page.js')
      const isWhole = argv.includes('--help-all')
      const attributes = isWhole ? attributesOf(await command.load()) : undefined
      process.stdout.write(
        commandPage({ command, commands: this.below(command.id), isWhole, attributes, look }),
      )
    } else if (topic) process.stdout.write(topicPage(topicDefinition(topic), this.below(topic.name), look))
    else throw new UsageError(unknownCommandText(words, commandIDs))
  }

  private overview() {
    const { pjson, userAgent: version } = this.config
    const topics = this.sortedTopics.filter(({ name }) => !name.includes(':'))
    const isTopic = (id: string) => topics.some(({ name }) => name === id)
    const commands = this.sortedCommands.filter(({ id }) => !id.includes(':') && !isTopic(id))
    const description = pjson.description ?? ''
    return { description, version, topics: topics.map(topicDefinition), commands: commands.map(definitionOf) }
  }

  /** Commands below a topic and its subtopics. */
  private below(name: string): readonly Definition[] {
    return this.sortedCommands.filter(({ id }) => id.startsWith(`${name}:`)).map(definitionOf)
  }
}

/** The attributes that a command of a list names; undefined for other commands. */
function attributesOf(command: Command.Class): readonly Definition[] | undefined {
  return isListing(command) ? command.attributes() : undefined
}

function isListing(command: Command.Class): command is Command.Class & Listing {
  return 'attributes' in command && typeof command.attributes === 'function'
}

/** A command whose whole help names the attributes of its objects. */
interface Listing {
  attributes(): readonly Definition[]
}

function definitionOf({ id, summary = '' }: { readonly id: string; readonly summary?: string }): Definition {
  return { term: id.replaceAll(':', ' '), meaning: summary }
}

function topicDefinition({
  name,
  description = '',
}: {
  readonly name: string
  readonly description?: string
}): Definition {
  return { term: name, meaning: description }
}

function idOf(words: readonly string[], last: number): string {
  return words.slice(0, last + 1).join(':')
}

/** Words that name a command or topic: those before flags, without a request for help in front of them. */
function wordsOf(argv: readonly string[]): readonly string[] {
  const rest = argv.filter((word) => !['--help', '--help-all', '-h'].includes(word))
  const end = rest.findIndex((word) => word.startsWith('-'))
  return rest.slice(0, end === -1 ? undefined : end).flatMap((word) => word.split(':'))
}
