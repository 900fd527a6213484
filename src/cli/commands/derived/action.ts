import { string } from '@oclif/core/args'
import { flagsOfPlain } from '../../../schema/flag-description.js'
import type { Action, Resource } from '../../../schema/resource.js'
import type { GivenFlags } from '../../terminal/command/collect-input.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { itemPath } from '../../terminal/command/item-path.js'
import { flagsFor } from '../../terminal/command/resource-flags.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { describedId, sampleFlags, sampleId } from './topic.js'

/** `payctl <topic> <action> ID`: an action on one object that does more than change attributes. */
export function actionCommand(resource: Resource, name: string, action: Action, words: string) {
  const { answers = resource.name } = action
  const shape = shapeOf(registry, registry.get(answers))
  const descriptions = flagsOfPlain(registry, action.input)
  return class Act extends PayctlCommand {
    static override summary = action.summary
    static override usage = `${words} ID [flags]`
    static override examples = [['payctl', words, sampleId(resource), ...sampleFlags(descriptions)].join(' ')]
    static override args = {
      id: string({ required: true, description: describedId(resource) }),
    }
    static override flags = { ...flagsFor(descriptions), ...writeFlags }

    async run(): Promise<void> {
      const { args, flags } = await this.parse(Act)
      const given: GivenFlags = flags
      const body = await this.collect(flags, descriptions, given)
      const id = await this.idOf(flags, resource, args.id)
      const path = `${itemPath(resource.plural, id)}/${name}`
      await this.send(flags, { method: 'POST', path, body, shape })
    }
  }
}
