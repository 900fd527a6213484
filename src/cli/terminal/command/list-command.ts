import process from 'node:process'
import { systemClock } from '../../../platform/clock.js'
import type { ClientRequest } from '../client/client.js'
import { UsageError } from '../failure/failure.js'
import type { AnswerSchema } from '../input/shape.js'
import type { CsvStyle } from '../output/csv.js'
import { fileSink } from '../output/file-sink.js'
import { type Format, formatOfFile, WRITABLE } from '../output/format.js'
import { listText } from '../output/list-text.js'
import { lookOf } from '../output/look.js'
import { groupedDigits, Progress } from '../output/progress.js'
import { type WatchedSink, watchedSink } from '../output/sink.js'
import { type Page, pagesOf } from '../paging/pages.js'
import { PayctlCommand } from './command.js'
import { type Choices, formatOf, requestedOf } from './global-flags.js'

/** A list that is shown page by page. */
export interface Listing {
  readonly shape: AnswerSchema
  /** Limit of objects; undefined for one page of the API's default size, `Infinity` for all. */
  readonly most: number | undefined
  /** Requested attributes, in order. */
  readonly requested?: readonly string[] | undefined
  /** File to write to instead of stdout. */
  readonly file?: string | undefined
  /** Style of CSV; undefined if none was given. */
  readonly csv?: CsvStyle | undefined
}

/** Base of commands that show a list of any length; one page is in memory at a time. */
export abstract class ListCommand extends PayctlCommand {
  /** Prints the list that a request returns. If more objects follow, also prints the flag that continues the list. */
  protected async list(choices: Choices, request: ClientRequest, listing: Listing): Promise<void> {
    const { file, shape, most, requested = requestedOf(choices), csv } = listing
    const format = formatFor(choices, file)
    refuseStyle(csv, format)
    const look = file === undefined ? lookOf(process.stdout, process.env) : { colour: false }
    const { jq, 'safe-csv': isSafe } = choices
    const text = await listText({ format, shape, look, requested, jq, csv: { ...csv, isSafe } })
    const watched = file !== undefined && process.stderr.isTTY
    const pages = pagesOf((page) => this.ask(choices, page), { ...request, count: watched }, most)
    // The first page is requested before the output is opened, because the request may be refused.
    const first = await pages.next()
    if (first.done) return
    const progress = watched ? new Progress(first.value.total ?? 0, process.stderr, systemClock) : undefined
    const sink = await this.destination(choices, file)
    let isWhole = false
    let last: Page | undefined
    let shown = 0
    const missing = new Set<string>()
    try {
      for (let page: IteratorResult<Page, void> = first; !page.done; page = await pages.next()) {
        last = page.value
        shown += last.values.length
        for (const name of last.missing) missing.add(name)
        if (!(await sink.write(text.page(last.values)))) break
        progress?.add(last.values.length, 0)
      }
      await sink.write(text.end())
      isWhole = true
    } finally {
      progress?.end()
      if (!isWhole) await sink.close(false)
    }
    // A reader such as `head` has stopped, so no hints follow.
    const isRead = await sink.isRead(missing.size > 0 || last?.next !== undefined)
    await sink.close(true)
    if (!isRead) return
    this.sayCut([...missing])
    this.conclude(choices, { shown, file, next: last?.next })
  }

  private async destination(choices: Choices, file: string | undefined): Promise<WatchedSink> {
    const sink = file === undefined ? this.screen(choices, true) : await fileSink(file, this.argv)
    return file === undefined && !process.stdout.isTTY
      ? watchedSink(sink)
      : { ...sink, isRead: async () => true }
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

/** Refuses a style of CSV for another format. */
function refuseStyle(csv: CsvStyle | undefined, format: Format): void {
  if (csv && format !== 'csv')
    throw new UsageError(
      '--delimiter, --bom and --dates are for CSV: add -o csv, or a name such as orders.csv',
    )
}

/**
 * The requested format, or else the format of the file's ending. Throws a `UsageError` if the two differ,
 * or if the format of the ending is not supported.
 */
function formatFor(choices: Choices, file: string | undefined): Format {
  const format = formatOf(choices)
  if (file === undefined) return format
  const named = formatOfFile(file)
  if (named === undefined || named === format) return format
  if (named === 'other') throw new UsageError(`--output-file ${file}: ${WRITABLE}; spreadsheets open .csv`)
  if (format !== 'table')
    throw new UsageError(`--output-file ${file}: its name says ${named}, but the output is ${format}`)
  return named
}
