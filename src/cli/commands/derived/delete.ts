import { string } from '@oclif/core/args'
import type { Resource } from '../../../schema/resource.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { itemPath } from '../../terminal/command/item-path.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { describedId, oneOfTopic, sampleId } from './topic.js'

/** `payctl <topic> delete ID`, or another verb. */
export function deleteCommand(resource: Resource, topic: string, verb = 'delete') {
  const shape = shapeOf(registry, resource)
  return class Delete extends PayctlCommand {
    static override summary = `${verb} ${oneOfTopic(resource)}`
    static override usage = `${topic} ${verb} ID [flags]`
    static override examples = [`payctl ${topic} ${verb} ${sampleId(resource)}`]
    static override args = {
      id: string({ required: true, description: describedId(resource) }),
    }
    static override flags = writeFlags

    async run(): Promise<void> {
      const { args, flags } = await this.parse(Delete)
      const id = await this.idOf(flags, resource, args.id)
      await this.send(flags, {
        method: 'DELETE',
        path: itemPath(resource.plural, id),
        shape,
      })
    }
  }
}
