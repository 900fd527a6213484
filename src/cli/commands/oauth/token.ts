import process from 'node:process'
import { string } from '@oclif/core/flags'
import { PayctlCommand } from '../../terminal/command/command.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { shapeless } from '../../terminal/input/shape.js'
import { askForTokens } from '../../terminal/oauth/token-endpoint.js'
import { serverOf } from '../../terminal/profiles/settings.js'

export class OauthToken extends PayctlCommand {
  static override summary = 'exchange a refresh token for a new access token and a new refresh token'
  static override usage = 'oauth token --refresh-token - [flags]'
  static override examples = [
    'payctl oauth token --refresh-token - < refresh-token.txt',
    'payctl oauth token --refresh-token - --server https://pay.example.com --json',
  ]
  static override flags = {
    'refresh-token': string({
      env: 'PAYCTL_REFRESH_TOKEN',
      summary: '(required) the refresh token; - reads a line of standard input',
      helpValue: '-',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(OauthToken)
    const given = flags['refresh-token']
    if (given === undefined) throw new UsageError('Missing --refresh-token - (or PAYCTL_REFRESH_TOKEN)')
    const token = await this.secretOf(flags, 'refresh-token', ['refresh_token'], given)
    const fields = { grant_type: 'refresh_token', refresh_token: token }
    await this.print(flags, await askForTokens(serverOf(this.settings(), process.env), fields), shapeless)
    this.say(flags, 'Keep both now: the refresh token that was sent is used up.')
  }
}
