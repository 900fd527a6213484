import process from 'node:process'
import { adminOperations } from '../../../resources/admin/admin-operations.js'
import { money } from '../../../schema/field.js'
import type { RequestedBatch } from '../../terminal/batch/batch-job.js'
import type { Performed, Stage } from '../../terminal/batch/perform.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { LIVE } from '../../terminal/command/confirm-live.js'
import { type Choices, formatOf } from '../../terminal/command/global-flags.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { EXIT, type ExitCode } from '../../terminal/failure/exit-codes.js'
import { NotConfirmed, UsageError } from '../../terminal/failure/failure.js'
import { shapeOfAnswer, shapeOfFields } from '../../terminal/input/shape.js'
import { fileFlags } from './batch-flags.js'

const { finish_batch: finishBatch } = adminOperations
const shape = shapeOfAnswer(registry, finishBatch)
/** Shape of a dry run, which also shows the sum of the amounts. */
const plannedShape = shapeOfFields(registry, { ...finishBatch.output, amount: money() })

/** Base of the commands that run and resume a batch. */
export abstract class BatchCommand extends PayctlCommand {
  protected override readonly isNamed: boolean = false

  protected async perform(choices: Choices, job: RequestedBatch): Promise<void> {
    const [{ performBatch }, { amountText }] = await Promise.all([
      import('../../terminal/batch/perform.js'),
      import('../../terminal/batch/plan-text.js'),
    ])
    const stage: Stage = {
      registry,
      dryRun: choices['dry-run'] === true,
      isWatched: process.stderr.isTTY && formatOf(choices) === 'table',
      // The whole batch was confirmed before, so its requests need no further confirmation.
      ask: async (request) => await this.ask({ ...choices, confirm: LIVE }, request),
      checkLimit: async (requests) => {
        const check = await this.spendingLimit(choices)
        if (check) for await (const request of requests) await check(request)
      },
      confirm: async (plan, requests) => {
        if (choices.env !== LIVE) return
        for await (const request of requests)
          if (await this.confirm(choices, request, amountText(job.as, plan))) return
      },
      agree: async (warning, isAgreed) => {
        const prompts = this.prompts(choices)
        if (!isAgreed && !prompts)
          throw new UsageError(
            `${warning} Nothing was sent: --redo-edited does the new rows; with --key COLUMN, from the first run on, edited rows are refused`,
          )
        this.say(choices, `Warning: ${warning}`)
        if (isAgreed || !prompts) return
        if (!(await prompts.confirm('Do the new rows?', false)))
          throw new NotConfirmed('Not confirmed; nothing was sent.')
      },
      say: (text) => this.say(choices, text),
    }
    const performed = await performBatch(stage, job, process.stdin)
    await this.report(choices, performed)
  }

  /** The command that resumes a batch at the same service, with all typed flags except those that the batch stores. */
  private async resumption(batchId: string): Promise<string> {
    const { commandLine, typedFlags } = await import('../../terminal/command/continuation.js')
    const { flags, baseFlags } = this.ctor
    const kept = new Set([...Object.keys(fileFlags), 'as', 'batch-id', 'key', 'continue'])
    return commandLine([
      'batch',
      'resume',
      batchId,
      ...typedFlags(this.argv, { ...baseFlags, ...flags }, kept),
    ])
  }

  private async report(choices: Choices, performed: Performed): Promise<void> {
    const { summary, files, failure, body, whole, isInterrupted, batchId } = performed
    const isDry = choices['dry-run'] === true
    this.say(choices, `${isDry ? 'Nothing was done; it would be: ' : ''}${summary.text}`)
    if (files.length > 0) this.say(choices, `Written: ${files.join(', ')}`)
    if (!whole && !isDry)
      this.say(choices, `Some rows are left; continue with: ${await this.resumption(batchId)}`)
    if (failure !== undefined && !isInterrupted) throw failure
    // The exit code is set before printing, because a failure to print must override it.
    process.exitCode = exitCodeOf(performed)
    if (Object.keys(body).length > 0) await this.print(choices, body, isDry ? plannedShape : shape)
  }
}

function exitCodeOf({ isInterrupted, summary }: Performed): ExitCode {
  if (isInterrupted) return EXIT.interrupted
  if (summary.bad > 0) return EXIT.partly
  return summary.waiting > 0 ? EXIT.unavailable : EXIT.ok
}
