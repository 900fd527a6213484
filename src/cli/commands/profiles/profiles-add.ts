import { resolve } from 'node:path'
import { string } from '@oclif/core/flags'
import { LARGEST, parseMoney } from '../../../schema/money.js'
import { MONEY_VERBS } from '../../../schema/moves.js'
import type { Choices } from '../../terminal/command/global-flags.js'
import { moneyFlag } from '../../terminal/command/resource-flags.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { shapeless } from '../../terminal/input/shape.js'
import { checked, environmentOfKey } from '../../terminal/profiles/credential.js'
import { type Profile, type SpendingLimit, verbsOf } from '../../terminal/profiles/profile.js'
import { NO_PROFILE, withoutPassword } from '../../terminal/profiles/settings.js'
import { promptsFor } from '../../terminal/prompts/prompts.js'
import { nameArgument, ProfilesCommand, shownProfile } from './saved-profiles.js'

export class ProfilesAdd extends ProfilesCommand {
  static override summary = 'save settings under a name: a database of this machine, or a server and its key'
  static override description =
    'A key is typed without echo, or read from standard input (--key-file -), and stored in a file that only you can read; ' +
    'or it is read from --key-file each time. A profile of the same name is replaced.'
  static override usage = 'profiles add NAME [--server <url>|--home <folder>|--database-url <url>] [flags]'
  static override examples = [
    'payctl profiles add shop --server https://pay.example.com --key-file -',
    'payctl profiles add desk --home /srv/payctl --env live --max-amount 500 --verbs refund,void',
  ]
  static override args = { name: nameArgument }
  static override flags = {
    home: string({ summary: 'folder of the databases', helpValue: '<folder>', exclusive: ['server'] }),
    'database-url': string({
      summary:
        'PostgreSQL database; - reads it from standard input, as is required for an address with a password',
      helpValue: '<url>',
      exclusive: ['server'],
    }),
    'max-amount': moneyFlag({ summary: 'the largest amount of a transaction with this profile' }),
    verbs: string({
      summary: `allowed movements of money, separated by commas: ${MONEY_VERBS.join(', ')}`,
      helpValue: '<verbs>',
    }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilesAdd)
    const { name } = args
    if (!/^[\w.-]{1,64}$/.test(name) || name === NO_PROFILE || name === '__proto__')
      throw new UsageError(
        `Expected a name of letters, digits, - and _, and not ${NO_PROFILE}, but received: ${name}`,
      )
    const profile: Profile = {
      ...(this.isTyped('server') ? await this.remote(flags) : await this.local(flags)),
      ...limitOf(flags['max-amount'], flags.verbs),
    }
    const { current } = await this.change((saved) => ({
      ...saved,
      profiles: { ...saved.profiles, [name]: profile },
    }))
    await this.print(flags, shownProfile(name, profile, current), shapeless)
    this.say(flags, `Use it with --profile ${name}, or from now on with: payctl profiles use ${name}`)
  }

  private async local(flags: Choices & { home?: string; 'database-url'?: string }): Promise<Profile> {
    const given = flags['database-url']
    const url = given === '-' ? await this.stdin.line('database-url') : given
    if (given !== undefined && url !== undefined && given !== '-' && withoutPassword(url) !== url)
      throw new UsageError(
        'Expected --database-url -, as the address holds a password: it is read from standard input',
      )
    return {
      ...(flags.home !== undefined && { home: resolve(flags.home) }),
      ...(url !== undefined && { database_url: url }),
      ...(this.isTyped('env') && { environment: flags.env }),
    }
  }

  private async remote(flags: Choices): Promise<Profile> {
    const { server, 'key-file': file } = flags
    const typed = this.isTyped('key-file') ? file : undefined
    if (typed !== undefined && typed !== '-') return { ...(server && { server }), key_file: resolve(typed) }
    const key = this.settings().key?.value ?? (await this.requestedKey(flags))
    return { ...(server && { server }), key, environment: environmentOfKey(key) }
  }

  private async requestedKey(flags: Choices): Promise<string> {
    const prompts = promptsFor(flags['no-input'])
    if (!prompts) throw new UsageError('Missing --key-file - (or PAYCTL_KEY)')
    const description = {
      name: 'key',
      path: ['secret_key'],
      kind: 'secret',
      doc: '',
      required: true,
      choices: [],
    } as const
    return checked(String(await prompts.value(description)), 'the prompt').value
  }
}

function limitOf(most: number | undefined, names: string | undefined): SpendingLimit {
  const verbs = names === undefined ? undefined : verbsOf(names.split(',').map((name) => name.trim()))
  if (names !== undefined && !verbs)
    throw new UsageError(`Expected some of ${MONEY_VERBS.join(', ')}, but received: ${names}`)
  const max_amount = most === undefined ? undefined : parseMoney(most)
  if (max_amount !== undefined && (max_amount < 0 || max_amount > LARGEST))
    throw new UsageError('Expected --max-amount to be an amount from 0 on')
  return { ...(max_amount !== undefined && { max_amount }), ...(verbs && { verbs }) }
}
