import process from 'node:process'
import { systemClock } from '../../platform/clock.js'
import type { ClientRequest } from './client/client.js'
import { PayctlCommand } from './command.js'
import { type Choices, formatOf, requestedOf } from './global-flags.js'
import type { Shape } from './input/shape.js'
import { fileSink } from './output/file.js'
import { type Format, formatOfFile } from './output/format.js'
import { listText } from './output/list.js'
import { lookOf } from './output/look.js'
import { groupedDigits, Progress } from './output/progress.js'
import { type Page, pagesOf } from './pages.js'

/** A list that is shown page by page. */
export interface Listing {
  readonly shape: Shape
  /** At most so many objects; nothing: the one page that the interface gives, `Infinity`: all. */
  readonly most: number | undefined
  /** The attributes that were named, in that order. */
  readonly requested?: readonly string[] | undefined
  /** Where it goes instead of stdout. */
  readonly file?: string | undefined
}

/** A command that shows a list, however long: it holds one page at a time. */
export abstract class ListCommand extends PayctlCommand {
  /** Prints what a request lists; says how to go on where more follows. */
  protected async list(choices: Choices, request: ClientRequest, listing: Listing): Promise<void> {
    const { file, shape, most, requested = requestedOf(choices) } = listing
    const format = formatFor(choices, file)
    const look = file === undefined ? lookOf(process.stdout, process.env) : { colour: false }
    const text = await listText({ format, shape, look, requested, isSafe: choices['safe-csv'] })
    const watched = file !== undefined && process.stderr.isTTY
    const pages = pagesOf((page) => this.ask(choices, page), { ...request, count: watched }, most)
    // The first page is asked for before a file is begun, and before anything is on stdout: it may be refused.
    const first = await pages.next()
    if (first.done) return
    const progress = watched ? new Progress(first.value.total ?? 0, process.stderr, systemClock) : undefined
    const sink = file === undefined ? this.screen(choices) : await fileSink(file, this.argv)
    let isWhole = false
    let last: Page | undefined
    let shown = 0
    try {
      for (let page: IteratorResult<Page, void> = first; !page.done; page = await pages.next()) {
        last = page.value
        shown += last.values.length
        if (!(await sink.write(text.page(last.values)))) break
        progress?.add(last.values.length, 0)
      }
      await sink.write(text.end())
      isWhole = true
    } finally {
      progress?.end()
      await sink.close(isWhole)
    }
    this.conclude(choices, { shown, file, next: last?.next })
  }

  private conclude(
    choices: Choices,
    {
      shown,
      file,
      next,
    }: { readonly shown: number; readonly file: string | undefined; readonly next: Page['next'] },
  ): void {
    if (file !== undefined) {
      if (process.stderr.isTTY) process.stderr.write(`${groupedDigits(shown)} rows in ${file}\n`)
      return
    }
    if (shown === 0) this.say(choices, 'Nothing found.')
    if (next) this.say(choices, `More follow: --all, or from there on --${next[0]} ${next[1]}`)
  }
}

/** What was asked for, else what the name of a file says. */
function formatFor(choices: Choices, file: string | undefined): Format {
  const format = formatOf(choices)
  return file !== undefined && format === 'table' ? (formatOfFile(file) ?? format) : format
}
