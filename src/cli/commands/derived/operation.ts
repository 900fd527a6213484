import type { AdminOperation } from '../../../schema/admin-operation.js'
import { flagsOfPlain } from '../../../schema/flag-description.js'
import type { JsonObject, QueryPair } from '../../terminal/client/client.js'
import type { GivenFlags } from '../../terminal/command/collect-input.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { flagsFor } from '../../terminal/command/resource-flags.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { shapeOfAnswer } from '../../terminal/input/shape.js'
import { sampleFlags } from './topic.js'

/** Parts of a command that differ from the operation's declaration. */
interface Implied {
  /** Attributes with fixed values, which have no flags. */
  readonly preset?: JsonObject
  /** Summary in help; the operation's own by default. */
  readonly summary?: string
}

/** `payctl <words>`: an admin operation as a command. */
export function operationCommand(operation: AdminOperation, words: string, implied: Implied = {}) {
  const { method, path } = operation
  const { preset = {}, summary = operation.summary } = implied
  const shape = shapeOfAnswer(registry, operation)
  const descriptions = flagsOfPlain(registry, operation.input).filter(
    ({ path: [name = ''] }) => !(name in preset),
  )
  const command = ['payctl', words, ...sampleFlags(descriptions)].join(' ')
  return class Operation extends PayctlCommand {
    static override summary = summary
    static override usage = `${words} [flags]`
    static override examples = [command, `${command} --env live --json`]
    static override flags = { ...flagsFor(descriptions), ...(method !== 'GET' && writeFlags) }

    async run(): Promise<void> {
      const { flags } = await this.parse(Operation)
      const given: GivenFlags = flags
      const requested = { ...preset, ...(await this.collect(flags, descriptions, given)) }
      const sent = method === 'GET' ? { query: pairsOf(requested) } : { body: requested }
      await this.send(flags, { method, path: `/${path}`, ...sent, shape })
    }
  }
}

function pairsOf(requested: JsonObject): QueryPair[] {
  return Object.entries(requested).map(([name, value]) => [name, String(value)])
}
