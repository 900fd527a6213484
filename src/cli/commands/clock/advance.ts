import { string as argument } from '@oclif/core/args'
import { string } from '@oclif/core/flags'
import type { JsonObject } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { UsageError } from '../../terminal/failure/failure.js'
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
