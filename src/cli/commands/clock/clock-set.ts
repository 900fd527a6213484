import { string } from '@oclif/core/args'
import type { JsonObject } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { typedDate } from '../../terminal/input/date-order.js'
import { CLOCK, clockShape as shape } from './clock-target.js'

const REAL = 'real'

export class ClockSet extends PayctlCommand {
  static override summary =
    'set the clock of the test environment to another time, from which time goes on; no change is undone'
  static override usage = 'clock set TIME [flags]'
  static override examples = [
    'payctl clock set 2027-02-28',
    "payctl clock set '2027-02-28 23:59:00'",
    'payctl clock set real',
  ]
  static override args = {
    time: string({
      required: true,
      description: 'date or datetime (UTC), earlier or later than now; or real, which is the real time',
    }),
  }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ClockSet)
    const body: JsonObject = args.time === REAL ? { offset: 0 } : { now: typedDate(args.time) }
    await this.send(flags, { method: 'PUT', path: CLOCK, body, shape })
  }
}
