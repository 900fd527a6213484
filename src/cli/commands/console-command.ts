import process from 'node:process'
import { string } from '@oclif/core/flags'
import { adminOperations } from '../../resources/admin/admin-operations.js'
import { resources } from '../../resources/resource-table.js'
import { flagsOf } from '../../schema/flag-description.js'
import type { Json, JsonObject } from '../terminal/client/client.js'
import { PayctlCommand } from '../terminal/command/command.js'
import { type Choices, formatOf } from '../terminal/command/global-flags.js'
import { registry } from '../terminal/declarations/declared-registry.js'
import { Refusal, UsageError } from '../terminal/failure/failure.js'
import { shapeless } from '../terminal/input/shape.js'
import { thisLogin } from '../terminal/local/this-login.js'
import { valuesOf } from '../terminal/output/render.js'
import { serverOf } from '../terminal/profiles/settings.js'
import { endable } from '../terminal/prompts/ctrl-c.js'
import { isServingConsole, show } from '../terminal/remote/browser.js'
import { operatorAddition } from './operators/machine-login.js'

const OPERATORS = `/${resources.operator.plural}`
const { create_console_entry: createEntry } = adminOperations

export class Console extends PayctlCommand {
  static override summary = 'print an address that opens the console, once and within two minutes'
  static override description =
    'It needs a running payctl serve --console. If there is a screen, the address is opened in a browser. Without --as, you enter as the operator of your login. ' +
    'If there is no operator yet, payctl prompts for your name and e-mail, and you become the first owner.'
  static override usage = 'console [--as <email>] [flags]'
  static override examples = [
    'payctl console',
    'payctl console --as ada@example.com',
    'payctl console --as ada@example.com --json',
  ]
  static override flags = {
    as: string({
      summary: 'the operator who enters; only an owner may name another one',
      helpValue: '<email>',
    }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(Console)
    const base = serverOf(this.settings(), process.env)
    const { code, expires_at } = await this.enter(flags, flags.as)
    const url = `${base}/console/enter/${String(code)}`
    if (formatOf(flags) !== 'table')
      return await this.print(flags, { url, expires_at: expires_at ?? null }, shapeless)
    process.stdout.write(`${url}\n`)
    if (!(await isServingConsole(base)))
      this.say(
        flags,
        `No console answers at ${base}; start payctl serve --console, or check that its name (DNS) and its proxy lead to it.`,
      )
    else await show(url)
  }

  /** Creates a code to enter the console. If there is no operator yet, this login becomes the first operator. */
  private async enter(choices: Choices, email: string | undefined): Promise<JsonObject> {
    const request = { method: createEntry.method, path: `/${createEntry.path}` }
    const body: JsonObject = email === undefined ? {} : { email }
    try {
      return (await this.ask(choices, { ...request, body })).body
    } catch (error) {
      const isNameless = error instanceof Refusal && error.response.status === 400 && email === undefined
      if (!isNameless) throw error
    }
    const own = await this.addFirst(choices)
    return (await this.ask(choices, { ...request, body: { email: own } })).body
  }

  /**
   * Makes this login the first operator, as owner, and returns the e-mail address. Throws a `UsageError` if
   * there are other operators.
   */
  private async addFirst(choices: Choices): Promise<Json> {
    const [other] = valuesOf((await this.ask(choices, { method: 'GET', path: OPERATORS })).body) ?? []
    const place = `${choices.env === 'live' ? ' --env live' : ''}${await this.placeFlags()}`
    if (other)
      throw new UsageError(
        `Say who enters: payctl console --as ${String(other.email)}${place}; payctl operators list${place} shows all`,
      )
    const { name: login } = thisLogin()
    const own = this.settings().server ? '' : ` --login ${login}`
    if (!this.prompts(choices))
      throw new UsageError(
        `There is no operator yet: payctl operators add --name … --email … --role owner${own}${place}`,
      )
    this.say(choices, 'There is no operator yet. You become the first one, as owner:')
    const typed = await endable(() => this.collect(choices, descriptions, {}), process)
    const mapped = { ...typed, role: 'owner', ...(!this.settings().server && { login }) }
    const body = await operatorAddition.complete(mapped, {}, this.surroundings(choices))
    return (await this.ask(choices, { method: 'POST', path: OPERATORS, body })).body.email ?? null
  }
}

/** Attributes of the first operator, for which the command prompts. */
const descriptions = flagsOf(registry, resources.operator, 'create').filter(({ name }) =>
  ['name', 'email'].includes(name),
)
