import { writeFlags } from '../../terminal/command/global-flags.js'
import { AnswerCommand, disputeArgument } from './answer-command.js'

export class DisputesAccept extends AnswerCommand {
  static override summary = 'give up a dispute: it is lost, and evidence cannot be submitted any more'
  static override usage = 'disputes accept DISPUTE [flags]'
  static override examples = ['payctl disputes accept dsp_0V8c…', 'payctl disputes accept dsp_0V8c… --yes']
  static override args = { dispute: disputeArgument }
  static override flags = writeFlags

  async run(): Promise<void> {
    const { args, flags } = await this.parse(DisputesAccept)
    await this.answer(flags, {
      named: args.dispute,
      verb: 'accept',
      body: {},
      warning: 'An accepted dispute is lost, and takes no evidence any more',
    })
  }
}
