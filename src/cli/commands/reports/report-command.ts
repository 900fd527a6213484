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
import type { JsonObject } from '../../terminal/client/client.js'
import type { GivenFlags } from '../../terminal/collect-input.js'
import { PayctlCommand } from '../../terminal/command.js'
import { registry } from '../../terminal/declared-registry.js'
import { type Choices, formatOf } from '../../terminal/global-flags.js'
import { isObject } from '../../terminal/input/body.js'
import { fieldsQuery } from '../../terminal/input/query-text.js'
import { shapeOfAnswer, shapeOfFields } from '../../terminal/input/shape.js'
import { cellOf } from '../../terminal/output/cell.js'
import { paint } from '../../terminal/output/colour.js'
import { lookOf } from '../../terminal/output/look.js'
import { flagsFor } from '../../terminal/resource-flags.js'
import { showsUnicode, sparkline } from './sparkline.js'

/** Commands of the reports, by id; made on demand. */
export const reportCommands = Object.fromEntries(
  Object.values(reports).map((report) => [`reports:${report.name}`, () => reportCommand(report)]),
)

/** `payctl reports <name>`. */
function reportCommand(report: Report) {
  const operation = reportOperation(report)
  const words = `reports ${report.name}`
  const descriptions = flagsOfPlain(registry, operation.input)
  return class ShowReport extends ReportCommand {
    static override summary = report.summary
    static override description =
      "Days are those of the organization's time zone. Without --from and --to, of the last whole month."
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

/** Base of the commands of all reports. */
abstract class ReportCommand extends PayctlCommand {
  /** Prints a report: whole as JSON, its rows as CSV, or a table with its totals. */
  protected async show(choices: Choices, { report, operation }: Declared, input: JsonObject): Promise<void> {
    const format = formatOf(choices)
    const { method, path } = operation
    const pairs = Object.entries(input).map(([name, value]) => [name, String(value)] as const)
    const fields = format === 'json' ? fieldsQuery(choices.fields) : []
    const { body } = await this.ask(choices, { method, path: `/${path}`, query: [...pairs, ...fields] })
    if (format === 'json') return await this.print(choices, body, shapeOfAnswer(registry, operation))
    const rows = { object: 'list', values: body.rows ?? [] }
    const shape = shapeOfFields(registry, rowFieldsOf(report))
    if (format !== 'table') return await this.print(choices, rows, shape)
    await this.write(choices, this.headOf(report, body))
    await this.print(choices, rows, shape)
    await this.write(choices, '\nTotals\n')
    const totals = isObject(body.totals) ? body.totals : {}
    await this.print(choices, totals, shapeOfFields(registry, totalFieldsOf(report)))
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
