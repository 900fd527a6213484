import { string } from '@oclif/core/flags'
import { adminOperations } from '../../../resources/admin/admin-operations.js'
import type { Json, JsonObject } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { type Choices, writeFlags } from '../../terminal/command/global-flags.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { shapeOfAnswer } from '../../terminal/input/shape.js'

const { plan_funding: planFunding, run_funding: runFunding } = adminOperations

const shape = shapeOfAnswer(registry, runFunding)

/** Number of units of work in one request. Progress is printed between requests. */
const UNITS = 50

export class FundingRun extends PayctlCommand {
  static override summary = runFunding.summary
  static override description =
    'It works in short units of work: after an interruption, the next run continues the same deposit. ' +
    'serve does the same by itself, an hour after each cut-off.'
  static override usage = 'funding run [--date <date>] [flags]'
  static override examples = [
    'payctl funding plan',
    'payctl funding run',
    'payctl funding run --date 2030-01-31',
    'payctl funding run --dry-run',
  ]
  static override flags = {
    date: string({
      summary: 'settle up to the end of this business day (in New York); up to now unless given',
      helpValue: '<date>',
    }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(FundingRun)
    const body: JsonObject = flags.date === undefined ? {} : { date: flags.date }
    const request = { method: 'POST', path: `/${runFunding.path}`, shape } as const
    // A dry run, or a run with an idempotency key, must be a single request.
    if (flags['dry-run'] || flags['idempotency-key'] !== undefined) {
      await this.send(flags, { ...request, body })
      return
    }
    const query = flags.date === undefined ? [] : [['date', flags.date] as const]
    const plan = await this.ask(flags, { method: 'GET', path: `/${planFunding.path}`, query })
    const sum = await this.inParts(flags, { ...body, units: UNITS }, plan.body.transactions ?? 0)
    await this.print(flags, sum, shape)
  }

  /** Sends requests until the run is finished; returns their answers added up. */
  private async inParts(choices: Choices, body: JsonObject, expected: Json): Promise<JsonObject> {
    let sum: JsonObject = { captured: 0, transactions: 0, deposits: [] }
    for (;;) {
      const answer = await this.ask(choices, { method: 'POST', path: `/${runFunding.path}`, body })
      sum = added(sum, answer.body)
      if (answer.body.finished === true) return sum
      this.say(choices, `${sum.captured} captured, ${sum.transactions} of ${expected} in deposits`)
    }
  }
}

function added(sum: JsonObject, part: JsonObject): JsonObject {
  return {
    ...part,
    captured: Number(sum.captured) + Number(part.captured),
    transactions: Number(sum.transactions) + Number(part.transactions),
    deposits: [sum.deposits, part.deposits].flatMap((deposits) => (Array.isArray(deposits) ? deposits : [])),
  }
}
