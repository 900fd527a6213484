import { string } from '@oclif/core/args'
import type { Resource } from '../../schema/resource.js'
import { PayctlCommand } from '../../terminal/command.js'
import { writeFlags } from '../../terminal/global-flags.js'
import { shapeOf } from '../../terminal/shape.js'
import { registry } from '../declared.js'
import { oneOf, sampleId } from './topic.js'

/** `payctl <topic> delete ID` */
export function deleteCommand(resource: Resource, topic: string) {
  const shape = shapeOf(registry, resource)
  return class Delete extends PayctlCommand {
    static override summary = `delete ${oneOf(resource)}`
    static override usage = `${topic} delete ID [flags]`
    static override examples = [`payctl ${topic} delete ${sampleId(resource)}`]
    static override args = {
      id: string({ required: true, description: `id of the ${resource.name.replaceAll('_', ' ')}` }),
    }
    static override flags = writeFlags

    async run(): Promise<void> {
      const { args, flags } = await this.parse(Delete)
      await this.send(flags, {
        method: 'DELETE',
        path: `/${resource.plural}/${encodeURIComponent(args.id)}`,
        shape,
      })
    }
  }
}
