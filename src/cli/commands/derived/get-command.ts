import { string } from '@oclif/core/args'
import type { Resource } from '../../../schema/resource.js'
import type { JsonObject } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command.js'
import { registry } from '../../terminal/declared-registry.js'
import type { Choices } from '../../terminal/global-flags.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { itemPath } from '../../terminal/item-path.js'
import { drawScanned, isScanned, qrFlag } from './scanned-address.js'
import { describedId, oneOfTopic, sampleId } from './topic.js'

/** Lines that are told to people below an object: what can be typed next. */
type NextLines = (body: JsonObject, choices: Choices) => readonly string[]

/** `payctl <topic> get ID`, or another verb. */
export function getCommand(resource: Resource, topic: string, verb = 'get', next: NextLines = () => []) {
  const shape = shapeOf(registry, resource)
  return class Get extends PayctlCommand {
    static override summary = `show ${oneOfTopic(resource)}`
    static override usage = `${topic} ${verb} ID [flags]`
    static override examples = [
      `payctl ${topic} ${verb} ${sampleId(resource)}`,
      `payctl ${topic} ${verb} ${sampleId(resource)} --json`,
    ]
    static override args = {
      id: string({ required: true, description: describedId(resource) }),
    }
    static override flags = { ...(isScanned(resource) && { qr: qrFlag }) }

    async run(): Promise<void> {
      const { args, flags } = await this.parse(Get)
      const id = await this.idOf(flags, resource, args.id)
      const { body } = await this.send(flags, {
        method: 'GET',
        path: itemPath(resource.plural, id),
        shape,
      })
      await drawScanned(resource, body, flags)
      for (const line of next(body, flags)) this.say(flags, line)
    }
  }
}
