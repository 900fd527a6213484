import { string as argument } from '@oclif/core/args'
import { resources } from '../../../resources/resource-table.js'
import type { JsonObject } from '../../../schema/json.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { LIVE } from '../../terminal/command/confirm-live.js'
import type { Choices } from '../../terminal/command/global-flags.js'
import { itemPath } from '../../terminal/command/item-path.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { NotConfirmed, UsageError } from '../../terminal/failure/failure.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { promptsFor } from '../../terminal/prompts/prompts.js'

const { dispute } = resources

export const disputeArgument = argument({ required: true, description: 'id of the dispute' })

/** Base of commands that answer a dispute. An answer is final, so it must be confirmed, in test as well. */
export abstract class AnswerCommand extends PayctlCommand {
  protected async answer(flags: Choices, { named, verb, body, warning }: Answering): Promise<void> {
    const id = await this.idOf(flags, dispute, named)
    await this.expectYes(flags, warning)
    await this.send(flags, {
      method: 'POST',
      path: `${itemPath(dispute.plural, id)}/${verb}`,
      body,
      shape: shapeOf(registry, registry.get(dispute.name)),
    })
  }

  private async expectYes(flags: Choices, warning: string): Promise<void> {
    if (flags.yes || flags.confirm === LIVE || flags['dry-run']) return
    const prompts = promptsFor(flags['no-input'])
    if (!prompts) throw new UsageError(`${warning}: add --yes`)
    if (!(await prompts.confirm(`${warning}. Go on?`)))
      throw new NotConfirmed('Not confirmed; nothing was sent.')
  }
}

interface Answering {
  /** Id of the dispute, as it was typed. */
  readonly named: string
  readonly verb: 'accept' | 'contest'
  readonly body: JsonObject
  readonly warning: string
}
