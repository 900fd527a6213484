import process from 'node:process'
import { boolean } from '@oclif/core/flags'
import { adminOperations } from '../../resources/admin/admin-operations.js'
import type { JsonObject } from '../terminal/client/client.js'
import { PayctlCommand } from '../terminal/command/command.js'
import { formatOf } from '../terminal/command/global-flags.js'
import { registry } from '../terminal/declarations/declared-registry.js'
import { EXIT } from '../terminal/failure/exit-codes.js'
import { isObject } from '../terminal/input/body.js'
import { shapeOfAnswer, shapeOfFields } from '../terminal/input/shape.js'
import { cellOf } from '../terminal/output/cell.js'
import { cleanText } from '../terminal/output/clean.js'
import { type Colour, paint } from '../terminal/output/colour.js'
import { type Look, lookOf } from '../terminal/output/look.js'

const { read_status: readStatus } = adminOperations

export class ShowStatus extends PayctlCommand {
  static override summary = 'show what needs attention today, with commands that show more'
  static override description =
    'Lists exceptions, gateways, outcomes that are not known, schedules that make no invoices, webhooks that fail, declines that ' +
    'rise, disputes that wait for an answer, automatic payments that were declined, incomplete merchants, and what is on ' +
    'its way to the bank. The exit code is 0 even if something needs attention; with --fail it is then 8.'
  static override usage = 'status [--fail] [flags]'
  static override examples = ['payctl status', 'payctl status --env live', 'payctl status --fail --json']
  static override flags = { fail: boolean({ summary: 'exit 8 when something needs attention, for scripts' }) }

  async run(): Promise<void> {
    const { flags } = await this.parse(ShowStatus)
    const { body } = await this.ask(flags, { method: readStatus.method, path: `/${readStatus.path}` })
    const { lines: values, ...whole } = body
    const lines = Array.isArray(values) ? values.filter(isObject) : []
    if (flags.fail && Number(body.attention) > 0) process.exitCode = EXIT.partly
    switch (formatOf(flags)) {
      case 'json':
        return await this.print(flags, body, shapeOfAnswer(registry, readStatus))
      case 'ndjson':
      case 'csv':
        return await this.print(
          flags,
          { object: 'list', values: lines },
          shapeOfFields(registry, readStatus.output.lines.fields),
        )
      case 'table':
        return await this.write(flags, await this.textOf(whole, lines))
    }
  }

  private async textOf({ now, attention }: JsonObject, lines: readonly JsonObject[]): Promise<string> {
    const look = lookOf(process.stdout, process.env)
    const place = await this.placeFlags()
    const at = cellOf(now, readStatus.output.now, look).text
    const { environment } = this.settings()
    const head =
      attention === 0
        ? `Nothing needs attention in ${environment.value} (${at}).`
        : `${attention} ${attention === 1 ? 'thing needs' : 'things need'} attention in ${environment.value} (${at}):`
    const width = Math.max(0, ...lines.map(({ check }) => String(check).length))
    const { wrappedBetween: wrap } = await import('../terminal/output/wrap.js')
    const blocks = lines.map((line) => blockOf(line, { width, look, place, wrap }))
    return [head, ...blocks].join('\n\n').concat('\n')
  }
}

type State = (typeof readStatus.output.lines.fields.state.values)[number]
const COLOURS: Readonly<Record<string, Colour>> = {
  failed: 'red',
  warning: 'yellow',
  note: 'dim',
} satisfies Record<State, Colour>

interface BlockLook {
  /** Width of the longest name of a check. */
  readonly width: number
  readonly look: Look
  /** Flags that select the server or database of this status. They are appended to each suggested command. */
  readonly place: string
  /** Breaks a text between words. */
  wrap(text: string, width: number): readonly string[]
}

/** Finding of a check, with the command that shows more on the line below. */
function blockOf(
  { check, state, found, command }: JsonObject,
  { width, look, place, wrap }: BlockLook,
): string {
  const { colour } = look
  const word = String(state)
  const gap = ' '.repeat('warning'.length + 2 + width + 2)
  const head = `${paint(word, COLOURS[word], colour)}${' '.repeat('warning'.length - word.length + 2)}`
  const columns = look.width ?? Number.POSITIVE_INFINITY
  const lines = wrap(cleanText(String(found)), columns - gap.length).join(`\n${gap}`)
  const more = `${cleanText(String(command))}${place}`
  // A command that does not fit is printed without indent on one line, so that it can be copied.
  const indent = gap.length + more.length <= columns ? gap : ''
  return `${head}${String(check).padEnd(width)}  ${lines}\n${indent}${paint(more, 'dim', colour)}`
}
