import { string } from '@oclif/core/args'
import type { JsonObject } from '../../../schema/json.js'
import type { Resource } from '../../../schema/resource.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { formatOf } from '../../terminal/command/global-flags.js'
import { itemPath } from '../../terminal/command/item-path.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { drawScanned, isScanned, qrFlag } from './scanned-address.js'
import { describedId, oneOfTopic, sampleId } from './topic.js'

/** Suggests the next step for an object, as a sentence; undefined if there is no suggestion. */
export type NextWords = (object: JsonObject, environment: string) => string | undefined

/** `payctl <topic> get ID`, or another verb. */
export function getCommand(resource: Resource, topic: string, verb = 'get', next?: NextWords) {
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
      const words = formatOf(flags) === 'table' ? next?.(body, flags.env) : undefined
      if (words !== undefined) this.say(flags, words)
    }
  }
}
