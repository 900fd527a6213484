import { string } from '@oclif/core/args'
import { resources } from '../../../resources/resource-table.js'
import { type Choices, writeFlags } from '../../terminal/command/global-flags.js'
import { itemPath } from '../../terminal/command/item-path.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { type Guide, resumeFlag, WizardCommand } from '../../terminal/wizard/wizard-guide.js'
import type { WizardQuestions } from '../../terminal/wizard/wizard-questions.js'

const { processing_account: resource } = resources
const shape = shapeOf(registry, resource)
const FIELDS = '*,legal_entity[owners],payment_methods'

const WHICH =
  'Which processing account? payctl processing-accounts complete acct_…; ' +
  'payctl processing-accounts list --where status=incomplete shows them'

export class CompleteAccount extends WizardCommand {
  static override summary = 'prompt for the data that a processing account needs before it can take payments'
  static override description =
    'Prompts for its legal entity, the owner, and the bank account for deposits. Without ACCOUNT, one is chosen from a list ' +
    'of the incomplete ones.'
  static override usage = 'processing-accounts complete [ACCOUNT] [flags]'
  static override examples = [
    'payctl processing-accounts complete',
    'payctl processing-accounts complete acct_0V8c…',
  ]
  static override args = { account: string({ description: 'id of the processing account' }) }
  static override flags = { resume: resumeFlag, ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CompleteAccount)
    const id = args.account ?? (await this.incomplete(flags))
    const path = itemPath(resource.plural, id)
    const { body: account } = await this.ask(flags, { method: 'GET', path, query: [['fields', FIELDS]] })
    const { besideKnown, completeWizard, missingOf } = await import('../wizards/complete-wizard.js')
    const missing = missingOf(account)
    if (missing.length === 0) {
      this.say(flags, `${String(account.name)} lacks nothing; it is ${String(account.status)}.`)
      return await this.print(flags, account, shape)
    }
    if (!this.prompts(flags))
      throw new UsageError(
        `${id} lacks: ${missing.join(', ')}. On a terminal this command prompts for it; a script sends it: ` +
          `payctl processing-accounts update ${id} --data FILE`,
      )
    const guide: Guide = {
      resource,
      descriptions: [],
      words: () => ['processing-accounts', 'complete', id],
      lacks: () => true,
      load: async () => completeWizard(String(account.name), missing),
    }
    const answers = await this.complete(flags, guide, {}, {})
    await this.send(flags, { method: 'PUT', path, body: besideKnown(account, answers), shape })
  }

  private async incomplete(choices: Choices): Promise<string> {
    const choose = async (questions: WizardQuestions) =>
      await (await import('../wizards/complete-wizard.js')).chooseIncomplete(questions)
    return await this.choice(choices, choose, WHICH)
  }
}
