import { string } from '@oclif/core/args'
import type { Resource } from '../../../schema/resource.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { itemPath } from '../../terminal/command/item-path.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { describedId, sampleId } from './topic.js'

/** The verb of a command, and the status that it sets. */
interface Switch {
  readonly verb: string
  readonly status: string
  readonly summary: string
}

/** `payctl <topic> enable ID` or `disable ID`: a command that sets the status of an object. */
export function switchCommand(resource: Resource, topic: string, { verb, status, summary }: Switch) {
  const shape = shapeOf(registry, resource)
  return class Switching extends PayctlCommand {
    static override summary = summary
    static override usage = `${topic} ${verb} ID [flags]`
    static override examples = [`payctl ${topic} ${verb} ${sampleId(resource)}`]
    static override args = { id: string({ required: true, description: describedId(resource) }) }
    static override flags = writeFlags

    async run(): Promise<void> {
      const { args, flags } = await this.parse(Switching)
      const id = await this.idOf(flags, resource, args.id)
      const path = itemPath(resource.plural, id)
      await this.send(flags, { method: 'PUT', path, body: { status }, shape })
    }
  }
}
