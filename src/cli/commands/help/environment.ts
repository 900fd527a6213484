import process from 'node:process'
import { PayctlCommand } from '../../terminal/command/command.js'
import { ownVariable } from '../../terminal/command/flag-variables.js'
import { formatOf } from '../../terminal/command/global-flags.js'
import { prose } from '../../terminal/input/shape.js'
import { lookOf } from '../../terminal/output/look.js'
import type { Commands } from '../../terminal/start/command-named.js'

/** An environment variable. */
interface Variable {
  readonly variable: string
  readonly flag?: string
  readonly meaning: string
}

/** Variables that are not declared by flags. */
const SETTINGS: readonly Variable[] = [
  { variable: 'PAYCTL_HOME', meaning: 'folder of databases, keys and profiles' },
  { variable: 'PAYCTL_DATABASE_URL', meaning: 'postgres://…: PostgreSQL instead of files in that folder' },
  {
    variable: 'PAYCTL_PUBLIC_URL',
    flag: '--public-url',
    meaning: 'address at which people reach pages and files',
  },
  { variable: 'PAYCTL_KEY', meaning: 'the secret key for the server' },
  { variable: 'PAYCTL_TIMEOUT', meaning: 'seconds within which a server must answer (120)' },
  {
    variable: 'PAYCTL_RETRIES',
    meaning: 'maximum number of times that a request to a server is repeated (4)',
  },
  { variable: 'PAYCTL_CARD_NUMBER', flag: '--card', meaning: 'the number of a card, where one is needed' },
  { variable: 'PAYCTL_CARD_CODE', flag: '--card-code', meaning: 'the code on its back' },
  { variable: 'PAYCTL_PASSPHRASE', meaning: 'the passphrase with which keys are exported and imported' },
  { variable: 'PAYCTL_GATEWAY_LOOPBACK', meaning: '1 lets gateways be on this machine, for tests' },
  { variable: 'PAYCTL_MAIL_LOOPBACK', meaning: '1 lets the mail server be on this machine' },
  { variable: 'PAYCTL_DEBUG', meaning: 'prints the stack trace of an unexpected error' },
  { variable: 'HTTPS_PROXY', meaning: 'proxy to a server whose address begins with https://' },
  { variable: 'HTTP_PROXY', meaning: 'proxy to other servers, and to all without HTTPS_PROXY' },
  {
    variable: 'NO_PROXY',
    meaning: 'hosts that are reached without a proxy, separated by commas; this machine always is',
  },
  {
    variable: 'PAGER',
    meaning: 'program that shows output longer than the terminal (less); empty or cat: none',
  },
  { variable: 'NO_COLOR', flag: '--no-color', meaning: 'no colours' },
  { variable: 'FORCE_COLOR', meaning: 'colours, also when piped' },
  { variable: 'CI', meaning: 'no prompts and no pager' },
]

const RULES = [
  'Every other flag has a variable named after its command: --limit of payctl transactions list is read from PAYCTL_TRANSACTIONS_LIST_LIMIT. A flag takes precedence over its variable, and a variable over the profile in use.',
  'The variable of a secret (a flag that takes -) is named after its attribute: PAYCTL_CARD_NUMBER, PAYCTL_ACCOUNT_NUMBER, PAYCTL_EIN.',
]
const PAGE_WIDTH = 100

/** `payctl help environment`: the environment variables, with the flags that they replace. */
export function environmentCommand(commands: Commands) {
  return class Environment extends PayctlCommand {
    static override summary = 'environment variables that payctl reads, and the flags that they replace'
    static override usage = 'help environment [flags]'
    static override examples = ['payctl help environment', 'PAYCTL_OUTPUT=json payctl transactions list']
    protected override readonly underProfile = false

    async run(): Promise<void> {
      const { flags } = await this.parse(Environment)
      const variables = [...SETTINGS, ...variablesOf(commands)].toSorted((a, b) =>
        a.variable < b.variable ? -1 : 1,
      )
      const values = variables.map(({ variable, flag, meaning }) => ({
        variable,
        flag: flag ?? null,
        meaning,
      }))
      await this.print(flags, { object: 'list', values }, prose)
      if (formatOf(flags) !== 'table') return
      const { width = PAGE_WIDTH } = lookOf(process.stdout, process.env)
      const { wrapped } = await import('../../terminal/output/wrap.js')
      const lines = RULES.flatMap((rule) => wrapped(rule, Math.min(width, PAGE_WIDTH)))
      await this.page(flags, `\n${lines.join('\n')}\n`)
    }
  }
}

/** Variables that flags declare, each once. */
function variablesOf(commands: Commands): readonly Variable[] {
  const found = Object.values(commands).flatMap(({ flags, baseFlags }) =>
    Object.entries({ ...baseFlags, ...flags }).flatMap(([name, flag]) => {
      const variable = ownVariable(flag)
      return variable === undefined ? [] : [{ variable, flag: `--${name}`, meaning: flag.summary ?? '' }]
    }),
  )
  const others = found.filter(({ variable }) => !SETTINGS.some((setting) => setting.variable === variable))
  return [...new Map(others.map((one) => [one.variable, one])).values()]
}
