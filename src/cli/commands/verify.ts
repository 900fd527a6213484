import process from 'node:process'
import { adminOperations } from '../../resources/admin/admin-operations.js'
import { PayctlCommand } from '../terminal/command.js'
import { registry } from '../terminal/declared.js'
import { EXIT } from '../terminal/failure/exit-codes.js'
import { shapeOfAnswer } from '../terminal/input/shape.js'

const { verify } = adminOperations

export class Verify extends PayctlCommand {
  static override summary = verify.summary
  static override usage = 'verify [flags]'
  static override examples = ['payctl verify', 'payctl verify --env live --json']

  async run(): Promise<void> {
    const { flags } = await this.parse(Verify)
    const request = { method: verify.method, path: `/${verify.path}`, shape: shapeOfAnswer(registry, verify) }
    const { body } = await this.send(flags, request)
    if (body.found !== 0) process.exitCode = EXIT.partly
  }
}
