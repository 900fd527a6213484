import process from 'node:process'
import { boolean, string } from '@oclif/core/flags'
import { systemClock } from '../../../platform/clock.js'
import { datetimeOf } from '../../../schema/datetime.js'
import type { JsonObject } from '../../terminal/client/client.js'
import { PayctlCommand } from '../../terminal/command/command.js'
import { LIVE } from '../../terminal/command/confirm-live.js'
import type { Choices } from '../../terminal/command/global-flags.js'
import { shapeless } from '../../terminal/input/shape.js'
import { receiveCode } from '../../terminal/oauth/receive-code.js'
import { askForTokens } from '../../terminal/oauth/token-endpoint.js'
import { serverOf } from '../../terminal/profiles/settings.js'
import { show } from '../../terminal/remote/browser.js'
import { KEYS, keyPath } from '../keys/key-target.js'

/** Lifetime of a key that is made for a single exchange, in milliseconds. */
const LIFE = 15 * 60_000

export class OauthConnect extends PayctlCommand {
  static override summary = 'let a user grant access in the browser, and show the tokens'
  static override usage = 'oauth connect --org <id> [--scope org|processing] [flags]'
  static override examples = [
    'payctl oauth redirects add --org-id acct_0V8c… --uri http://127.0.0.1/callback',
    'payctl oauth connect --org acct_0V8c…',
    'payctl oauth connect --org acct_0V8c… --scope org --no-browser --json',
  ]
  static override flags = {
    org: string({
      required: true,
      summary: 'organization of the application; http://127.0.0.1/callback must be registered for it',
      helpValue: '<id>',
    }),
    scope: string({
      options: ['org', 'processing'],
      default: 'processing',
      summary: 'all processing accounts of the organization, or those that the user selects',
    }),
    'auth-only': boolean({ summary: 'do not let new users sign up' }),
    browser: boolean({
      default: true,
      allowNo: true,
      summary: 'open the browser; otherwise only print the address',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(OauthConnect)
    const server = serverOf(this.settings(), process.env)
    const clientKey = await this.made(flags, '/access_tokens', { intent: { oauth_client_token: {} } })
    const { code, redirectUri, verifier } = await receiveCode({
      server,
      parameters: {
        client_key: String(clientKey.id),
        org_id: flags.org,
        scope: flags.scope,
        ...(flags['auth-only'] && { auth_only: 'true' }),
      },
      show: async (address) => {
        const isOpen = flags.browser && (await show(address))
        process.stderr.write(`${isOpen ? 'Continue in the browser' : 'Open this in a browser'}: ${address}\n`)
      },
    })
    const { key, end } = await this.key(flags, flags.org)
    const fields = {
      grant_type: 'authorization_code',
      code,
      client_id: flags.org,
      client_secret: key,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }
    try {
      await this.print(flags, await askForTokens(server, fields, key), shapeless)
    } finally {
      await end()
    }
    this.say(flags, 'Keep both tokens now: they cannot be shown again.')
  }

  /**
   * The key for the exchange: the key in the settings, or a new key in this machine's database. `end` deletes a new
   * key.
   */
  private async key(choices: Choices, org: string): Promise<{ key: string; end(): Promise<void> }> {
    const { server, key } = this.settings()
    if (server && key) return { key: key.value, end: async () => undefined }
    const made = await this.made(choices, KEYS, { org_id: org, description: 'payctl oauth connect' })
    const path = keyPath(String(made.id))
    return {
      key: String(made.secret_key),
      end: async () => {
        // The key was made by this command: no other process uses it.
        await this.ask({ ...choices, confirm: LIVE }, { method: 'DELETE', path })
      },
    }
  }

  private async made(choices: Choices, path: string, body: JsonObject): Promise<JsonObject> {
    const end = datetimeOf(systemClock.now() + LIFE)
    const made = await this.ask(choices, { method: 'POST', path, body: { ...body, expires_at: end } })
    return made.body
  }
}
