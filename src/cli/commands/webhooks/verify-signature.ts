import process from 'node:process'
import { boolean, integer, string } from '@oclif/core/flags'
import { PayctlCommand } from '../../terminal/command/command.js'
import { Refusal, UsageError } from '../../terminal/failure/failure.js'
import { readAll } from '../../terminal/input/data.js'

export class WebhooksVerifySignature extends PayctlCommand {
  static override summary = 'check whether a request was signed with a secret, and recently'
  static override description =
    'The secret is read from a line of standard input (--secret -) or PAYCTL_WEBHOOK_SECRET. The exit code is 3 if the signature is not valid.'
  static override usage =
    'webhooks verify-signature --id <id> --timestamp <seconds> --signature <text> --body <file>'
  static override examples = [
    "payctl webhooks verify-signature --id evt_0V8c… --timestamp 1893456000 --signature 'v1,…' --body body.json",
  ]
  static override flags = {
    id: string({ required: true, summary: 'the header webhook-id', helpValue: '<id>' }),
    timestamp: integer({ required: true, summary: 'the header webhook-timestamp', helpValue: '<seconds>' }),
    signature: string({ required: true, summary: 'the header webhook-signature', helpValue: '<text>' }),
    body: string({ required: true, summary: 'file with the unchanged body', helpValue: '<file>' }),
    secret: string({
      env: 'PAYCTL_WEBHOOK_SECRET',
      summary: 'the signing secret; - reads a line of standard input',
      helpValue: '-',
    }),
    'any-age': boolean({ summary: 'accept a signature that is older than 5 minutes' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksVerifySignature)
    const { id, timestamp, signature } = flags
    if (flags.secret === undefined) throw new UsageError('Missing --secret, or PAYCTL_WEBHOOK_SECRET')
    const secret = await this.secretOf(flags, 'secret', ['webhook_secret'], flags.secret)
    const body = await readAll(flags.body, this.stdin)
    const [{ signatureProblem }, { systemClock }] = await Promise.all([
      import('../../../domain/webhooks/signature.js'),
      import('../../../platform/clock.js'),
    ])
    const now = flags['any-age'] ? timestamp : Math.floor(systemClock.now() / 1000)
    const problem = signatureProblem(secret, { id, timestamp, body }, signature, now)
    if (problem !== undefined) throw refusal(problem)
    process.stdout.write('The signature is valid.\n')
  }
}

function refusal(problem: string): Refusal {
  const error_type = 'InvalidAttributes'
  const body = { object: 'error', error_type, error_description: problem, details: { signature: problem } }
  return new Refusal({ status: 400, body, headers: {} })
}
