import process from 'node:process'
import {
  type Report,
  reportOperation,
  rowFieldsOf,
  totalFieldsOf,
} from '../../../resources/reports/report.js'
import { reports } from '../../../resources/reports/report-table.js'
import type { AdminOperation } from '../../../schema/admin-operation.js'
import { flagsOfPlain } from '../../../schema/flag-description.js'
import type { JsonObject, QueryPair } from '../../terminal/client/client.js'
import type { GivenFlags } from '../../terminal/command/collect-input.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { type Choices, formatOf, requestedOf } from '../../terminal/command/global-flags.js'
import { flagsFor } from '../../terminal/command/resource-flags.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { isObject } from '../../terminal/input/body.js'
import { shapeOfAnswer, shapeOfFields } from '../../terminal/input/shape.js'
import { cellOf } from '../../terminal/output/cell.js'
import { paint } from '../../terminal/output/colour.js'
import { listText } from '../../terminal/output/list-text.js'
import { lookOf } from '../../terminal/output/look.js'
import { pagesOfReport, type ReportPage, reportJson, wholeOf } from './report-pages.js'

const BLOCKS = '▁▂▃▄▅▆▇█'
/** Characters for terminals without UTF-8, lowest first. */
const CHARACTERS = '_.-:=+*#'

/**
 * A line of characters whose heights show values, from 0 to the largest; values below 0 are shown as 0. If
 * there are more values than `width`, neighbouring values are added.
 */
export function sparkline(values: readonly number[], width: number, isPlain: boolean): string {
  const levels = isPlain ? CHARACTERS : BLOCKS
  const each = Math.max(1, Math.ceil(values.length / Math.max(width, 1)))
  const sums = Array.from({ length: Math.ceil(values.length / each) }, (_, index) =>
    values.slice(index * each, (index + 1) * each).reduce((sum, value) => sum + Math.max(value, 0), 0),
  )
  const largest = Math.max(...sums)
  const level = (sum: number) => (largest > 0 ? Math.ceil((sum / largest) * levels.length) - 1 : 0)
  return sums.map((sum) => levels.charAt(Math.max(level(sum), 0))).join('')
}

/** Whether a terminal shows characters beyond ASCII, according to the variables of its locale. */
function showsUnicode({ LC_ALL, LC_CTYPE, LANG }: Readonly<Record<string, string | undefined>>): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG
  return !locale || /utf-?8/i.test(locale)
}

/** Commands for reports, by id; created on demand. */
export const reportCommands = Object.fromEntries(
  Object.values(reports).map((report) => [`reports:${report.name}`, () => reportCommand(report)]),
)

/** Attributes without flags: the command sets them to read page by page. */
const PAGING = ['limit', 'after']

/** `payctl reports <name>`. */
function reportCommand(report: Report) {
  const operation = reportOperation(report)
  const words = `reports ${report.name}`
  const descriptions = flagsOfPlain(registry, operation.input).filter(({ name }) => !PAGING.includes(name))
  return class ShowReport extends ReportCommand {
    static override summary = report.summary
    static override description =
      "Days begin and end in the organization's time zone. Without --from and --to, the report covers the last whole month."
    static override usage = `${words} [flags]`
    static override examples = [
      `payctl ${words}`,
      `payctl ${words} --from 2030-01-01 --to 2030-01-31 --json`,
      `payctl ${words} --from "last month" --to today -o csv --safe-csv`,
    ]
    static override flags = flagsFor(descriptions)

    async run(): Promise<void> {
      const { flags } = await this.parse(ShowReport)
      const given: GivenFlags = flags
      const input = await this.collect(flags, descriptions, given)
      await this.show(flags, { report, operation }, input)
    }
  }
}

interface Declared {
  readonly report: Report
  readonly operation: AdminOperation
}

/** Base of the commands of all reports; one page of rows is in memory at a time. */
abstract class ReportCommand extends PayctlCommand {
  /** Prints a report: the whole report as JSON, its rows as CSV or NDJSON, or a table with its totals. */
  protected async show(choices: Choices, declared: Declared, input: JsonObject): Promise<void> {
    const { report, operation } = declared
    const format = formatOf(choices)
    const ask = async (more: JsonObject) => {
      const query = Object.entries({ ...input, ...more }).map(
        ([name, value]): QueryPair => [name, String(value)],
      )
      return (await this.ask(choices, { method: operation.method, path: `/${operation.path}`, query })).body
    }
    const pages = pagesOfReport(ask)
    const first = await pages.next()
    if (first.done) return
    const { body } = first.value
    if (format === 'json') {
      const look = lookOf(process.stdout, process.env)
      const names = requestedOf(choices)
      if (body.next == null || names || choices.jq !== undefined || look.width !== undefined) {
        const whole = await wholeOf(body, pages)
        const shown = names ? Object.fromEntries(names.map((name) => [name, whole[name] ?? null])) : whole
        return await this.print(choices, shown, shapeOfAnswer(registry, operation))
      }
      return await this.writePages(choices, reportJson(body, pages))
    }
    if (format === 'table') await this.write(choices, this.headOf(report, body))
    const last = await this.writeRows(choices, report, first.value, pages)
    if (format !== 'table') return
    await this.write(choices, '\nTotals\n')
    const totals = isObject(last.totals) ? last.totals : {}
    await this.print(choices, totals, shapeOfFields(registry, totalFieldsOf(report)))
  }

  /** Prints the rows of all pages; returns the last page. */
  private async writeRows(
    choices: Choices,
    report: Report,
    first: ReportPage,
    pages: AsyncIterable<ReportPage>,
  ): Promise<JsonObject> {
    const text = await listText({
      format: formatOf(choices),
      shape: shapeOfFields(registry, rowFieldsOf(report)),
      look: lookOf(process.stdout, process.env),
      requested: requestedOf(choices),
      jq: choices.jq,
      csv: { isSafe: choices['safe-csv'] },
    })
    let last = first
    const shown = async function* () {
      yield text.page(first.rows)
      for await (const page of pages) {
        last = page
        yield text.page(page.rows)
      }
      yield text.end()
    }
    await this.writePages(choices, shown())
    if (last === first && first.rows.length === 0) this.say(choices, 'Nothing found.')
    return last.body
  }

  private async writePages(choices: Choices, texts: AsyncIterable<string>): Promise<void> {
    const sink = this.screen(choices, true)
    let isWhole = false
    try {
      for await (const text of texts) if (!(await sink.write(text))) break
      isWhole = true
    } finally {
      await sink.close(isWhole)
    }
  }

  /** Name, period and plot of a report. */
  private headOf({ name, rows, columns }: Report, { from, to, zone, rows: values }: JsonObject): string {
    const look = lookOf(process.stdout, process.env)
    const title = `${name} from ${from} to ${to} (${zone})`
    const head = `${paint(title, 'bold', look.colour)}\n`
    if (rows.of !== 'sums' || rows.byAccount || look.width === undefined) return `${head}\n`
    const { plot } = rows
    const figures = (Array.isArray(values) ? values : []).map((row) =>
      isObject(row) ? Number(row[plot]) : 0,
    )
    const most = cellOf(Math.max(0, ...figures), columns[plot]?.field, look).text
    const line = sparkline(figures, look.width - plot.length - most.length - 12, !showsUnicode(process.env))
    return `${head}${plot} ${paint(line, 'cyan', look.colour)} up to ${most}\n\n`
  }
}
