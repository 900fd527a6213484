import { boolean } from '@oclif/core/flags'
import { adminOperations } from '../../../resources/admin/admin-operations.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { writeFlags } from '../../terminal/command/global-flags.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { shapeOfAnswer } from '../../terminal/input/shape.js'

const { set_operator_settings: operation } = adminOperations
const shape = shapeOfAnswer(registry, operation)

export class OperatorsRequireMapping extends PayctlCommand {
  static override summary = 'refuse logins of this machine that are not operators'
  static override description =
    'Without this setting, a login that is not an operator works as owner in a home of its own. An active owner with a login must exist before.'
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
