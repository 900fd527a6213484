import { string } from '@oclif/core/args'
import { flagsOf } from '../../../schema/flag-description.js'
import type { Resource } from '../../../schema/resource.js'
import type { GivenFlags } from '../../terminal/command/collect-input.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { itemPath } from '../../terminal/command/item-path.js'
import { flagsFor } from '../../terminal/command/resource-flags.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { readTree } from '../../terminal/input/data.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { NO_ADDITION, remaining } from './addition.js'
import { dataFlag } from './create-command.js'
import { describedId, oneOfTopic, sampleFlag, sampleId } from './topic.js'

/** Sample flag for a command whose only input is --data. */
const DATA = { name: 'data', kind: 'text', choices: [] } as const

/** `payctl <topic> update ID` */
export function updateCommand(resource: Resource, topic: string, addition = NO_ADDITION) {
  const shape = shapeOf(registry, resource)
  const descriptions = remaining(flagsOf(registry, resource, 'update'), addition)
  const first = descriptions.find(({ kind }) => kind !== 'secret') ?? DATA
  return class Update extends PayctlCommand {
    static override summary = `change ${oneOfTopic(resource)}`
    static override usage = `${topic} update ID [--data <file>] [flags]`
    static override examples = [
      `payctl ${topic} update ${sampleId(resource)} ${sampleFlag(first)}`,
      `payctl ${topic} update ${sampleId(resource)} --data changes.json --dry-run`,
    ]
    static override args = {
      id: string({ required: true, description: describedId(resource) }),
    }
    static override flags = { ...flagsFor(descriptions), ...addition.flags, data: dataFlag, ...writeFlags }

    async run(): Promise<void> {
      const { args, flags } = await this.parse(Update)
      const given: GivenFlags = flags
      const data = flags.data === undefined ? {} : await readTree(flags.data, this.stdin)
      const requested = await this.collect(flags, descriptions, given, data)
      const id = await this.idOf(flags, resource, args.id)
      const body = await addition.complete(requested, given, { ...this.surroundings(flags), id })
      if (Object.keys(body).length === 0)
        throw new UsageError('Nothing to change: give a flag for an attribute, or --data')
      await this.send(flags, {
        method: 'PUT',
        path: itemPath(resource.plural, id),
        body,
        shape,
      })
    }
  }
}
