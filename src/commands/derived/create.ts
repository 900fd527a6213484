import { string } from '@oclif/core/flags'
import { flagsOf } from '../../schema/flags.js'
import type { Resource } from '../../schema/resource.js'
import { collect, type GivenFlags } from '../../terminal/collect.js'
import { PayctlCommand } from '../../terminal/command.js'
import { readTree } from '../../terminal/data.js'
import { flagsFor } from '../../terminal/flags.js'
import { writeFlags } from '../../terminal/global-flags.js'
import { shapeOf } from '../../terminal/shape.js'
import { registry } from '../declared.js'
import { oneOf } from './topic.js'

export const dataFlag = string({
  char: 'd',
  summary: 'JSON file with the whole tree, or - for standard input; flags are laid over it',
  helpValue: '<file>',
})

/** `payctl <topic> create`, or another verb; a list of objects as data creates them all. */
export function createCommand(resource: Resource, topic: string, verb = 'create') {
  const shape = shapeOf(registry, resource)
  const descriptions = flagsOf(registry, resource, 'create')
  const required = descriptions.filter((description) => description.required)
  return class Create extends PayctlCommand {
    static override summary = `${verb} ${oneOf(resource)}`
    static override usage = `${topic} ${verb} [--data <file>] [flags]`
    static override examples = [
      `payctl ${topic} ${verb} ${required.map(({ name, choices }) => `--${name} ${choices[0] ?? '…'}`).join(' ')}`.trim(),
      `payctl ${topic} ${verb} --data ${resource.name}.json --dry-run`,
    ]
    static override flags = { ...flagsFor(descriptions), data: dataFlag, ...writeFlags }

    async run(): Promise<void> {
      const { flags } = await this.parse(Create)
      const given: GivenFlags = flags
      const data = flags.data === undefined ? {} : await readTree(flags.data, this.stdin)
      const body =
        data.object === 'list' ? data : await collect(descriptions, given, data, this.sources(flags))
      await this.send(flags, { method: 'POST', path: `/${resource.plural}`, body, shape })
    }
  }
}
