import { string as argument } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import type { JsonObject } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { typedDate } from '../../terminal/input/date-order.js'
import { CLOCK, clockShape as shape } from './clock-target.js'

export class ClockAdvance extends PayctlCommand {
  static override summary =
    'move the clock of the test environment forward, and do what becomes due, in order of time'
  static override usage = 'clock advance [DURATION] [flags]'
  static override examples = [
    'payctl clock advance 1mo',
    "payctl clock advance '2w 12h'",
    'payctl clock advance --to 2027-01-01',
  ]
  static override args = {
    duration: argument({ description: 'how far: 1mo, 2w, 3d, 12h, 1y or several of them' }),
  }
  static override flags = {
    to: string({ summary: 'the time to advance to, instead of DURATION (UTC)', helpValue: '<date>' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ClockAdvance)
    const { duration: by } = args
    const { to } = flags
    if ((by === undefined) === (to === undefined))
      throw new UsageError('Say how far, as in clock advance 1mo, or until when with --to')
    const body: JsonObject = by === undefined ? { to: to ?? null } : { by }
    await this.send(flags, { method: 'POST', path: CLOCK, body, shape })
  }
}

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
    time: argument({
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
