import process from 'node:process'
import type { Command } from '@oclif/core/command'
import { Help } from '@oclif/core/help'
import { UsageError } from '../failure/failure.js'
import { lookOf } from '../output/look.js'
import { pagedSink, pagerOf } from '../output/pager.js'
import { streamSink } from '../output/sink.js'
import { unknownCommandText } from '../suggestions/unknown-command.js'
import type { Definition } from './definitions.js'

/** Help for oclif, built from the manifest. The code of pages is loaded only when a page is shown. */
export class PayctlHelp extends Help {
  /** Throws a `UsageError` that names the nearest command if there is neither a command nor a topic of that name. */
  override async showHelp(argv: string[]): Promise<void> {
    const words = wordsOf(argv)
    const { commandIDs } = this.config
    const found = words.findLastIndex((_, index) => commandIDs.includes(idOf(words, index)))
    const command = this.config.findCommand(idOf(words, found))
    const topic = this.config.findTopic(words.join(':'))
    const look = lookOf(process.stdout, process.env)
    const { overviewPage, rootPage, topicPage } = await import('./topic-pages.js')
    if (words.length === 0)
      await show(
        argv.includes('--help-all')
          ? overviewPage(this.overview(), look)
          : rootPage(this.config.pjson.description ?? '', look),
        argv,
      )
    else if (command) {
      const { commandPage } = await import('./command-page.js')
      const isWhole = argv.includes('--help-all')
      const attributes = isWhole ? attributesOf(await command.load()) : undefined
      const page = commandPage({ command, commands: this.below(command.id), isWhole, attributes, look })
      await show(page, argv)
    } else if (topic) await show(topicPage(topicDefinition(topic), this.below(topic.name), look), argv)
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

/** Prints a page, through a pager if it is longer than the terminal. */
async function show(text: string, argv: readonly string[]): Promise<void> {
  const { stdout, env } = process
  const isPaged = stdout.isTTY && !argv.includes('--no-pager') && !env.PAYCTL_NO_PAGER
  const pager = isPaged ? pagerOf(env) : undefined
  const sink = pager ? pagedSink(stdout, pager) : streamSink(stdout)
  await sink.write(text)
  await sink.close(true)
}

/** The attributes by which a list command can filter; undefined for other commands. */
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

/** Words that name a command or topic: those before the first flag, without `--help` and its variants. */
function wordsOf(argv: readonly string[]): readonly string[] {
  const rest = argv.filter((word) => !['--help', '--help-all', '-h'].includes(word))
  const end = rest.findIndex((word) => word.startsWith('-'))
  return rest.slice(0, end === -1 ? undefined : end).flatMap((word) => word.split(':'))
}
