import { boolean } from '@oclif/core/flags'
import { adminOperations } from '../../../resources/admin/admin-operations.js'
import { PayctlCommand } from '../../terminal/command.js'
import { registry } from '../../terminal/declared-registry.js'
import { writeFlags } from '../../terminal/global-flags.js'
import { shapeOfAnswer } from '../../terminal/input/shape.js'

const { set_operator_settings: operation } = adminOperations
const shape = shapeOfAnswer(registry, operation)

export class OperatorsRequireMapping extends PayctlCommand {
  static override summary = 'let no login of this machine work that is no operator'
  static override description =
    'Without it, a login that is no operator works as owner where the home is its own. An active owner with a login must be there before.'
  static override usage = 'operators require-mapping [--off] [flags]'
  static override examples = ['payctl operators require-mapping', 'payctl operators require-mapping --off']
  static override flags = {
    off: boolean({ summary: 'let the login that owns the home work as owner again' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(OperatorsRequireMapping)
    const { method, path } = operation
    await this.send(flags, { method, path: `/${path}`, body: { require_mapping: !flags.off }, shape })
  }
}
