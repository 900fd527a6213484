import process from 'node:process'
import { string } from '@oclif/core/args'
import { boolean } from '@oclif/core/flags'
import type { RailEntry } from '../../gateways/registry/rails.js'
import type { Resource } from '../../schema/resource.js'
import type { Json, JsonObject } from '../terminal/client/client.js'
import { PayctlCommand } from '../terminal/command/command.js'
import { type Choices, formatOf } from '../terminal/command/global-flags.js'
import { itemPath } from '../terminal/command/item-path.js'
import { registry } from '../terminal/declarations/declared-registry.js'
import { UsageError } from '../terminal/failure/failure.js'
import { isObject } from '../terminal/input/body.js'
import { shapeless } from '../terminal/input/shape.js'
import { serverOf } from '../terminal/profiles/settings.js'
import { isServing, isServingConsole, servedScript, show } from '../terminal/remote/browser.js'

/** The attribute with the address of an object's page. */
const PAGE = 'url'

export class Open extends PayctlCommand {
  static override summary =
    'open a page of a running serve: its documentation, a payment link, or an object in the console; or print the script for pages of shops'
  static override description =
    'The address is printed, and opened if there is a screen. Without a console, the id of a payment opens its receipt. Addresses of payment links and receipts begin with PAYCTL_PUBLIC_URL, or the setting public-url, or else the last address of serve. With components, it prints the script element for a page of a shop, and the sources that the page must allow in its content security policy.'
  static override usage = 'open [docs|components|ID] [--print]'
  static override examples = [
    'payctl open',
    'payctl open components',
    'payctl open txn_0V8c…',
    'payctl open plnk_0V8c… --print',
  ]
  static override args = {
    target: string({ default: 'docs', description: 'docs, components, or the id of an object' }),
  }
  static override flags = { print: boolean({ summary: 'print the address only' }) }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Open)
    const base = serverOf(this.settings(), process.env)
    if (args.target === 'components') return await this.showComponents(flags, base)
    const address = args.target === 'docs' ? `${base}/docs/` : await this.pageOf(flags, args.target, base)
    if (formatOf(flags) !== 'table') await this.print(flags, { address }, shapeless)
    else process.stdout.write(`${address}\n`)
    if (flags.print) return
    if (!(await isServing(base))) this.say(flags, `Nobody answers at ${base}; start payctl serve.`)
    else await show(address)
  }

  /** Prints the script tag and the CSP sources that a shop's page needs for components of the running `serve`. */
  private async showComponents(flags: Choices, base: string): Promise<void> {
    const script = await servedScript(base)
    if (!script) throw new UsageError(`Nobody serves components at ${base}; start payctl serve`)
    const { address, integrity, script_src, frame_src } = script
    const { rails } = await import('../../gateways/registry/rails.js')
    const fields = Object.entries(rails).flatMap(([rail, { pageOrigins: origins }]) =>
      origins === undefined ? [] : [{ rail, ...sourcesOf(origins) }],
    )
    if (formatOf(flags) !== 'table')
      return await this.print(flags, { ...script, fields: [...fields] }, shapeless)
    process.stdout.write(
      `<script src="${address}" integrity="${integrity}" crossorigin="anonymous"></script>\nscript-src ${script_src}\nframe-src ${frame_src}\n`,
    )
    for (const { rail, ...sources } of fields)
      process.stdout.write(
        `Where payments go to ${rail} with fields of its own, also:\nscript-src ${sources.script_src}\nframe-src ${sources.frame_src}\nconnect-src ${sources.connect_src}\n`,
      )
  }

  /**
   * Address of an object's page: its page for payers, or its page in the console, or the receipt of a
   * transaction.
   */
  private async pageOf(flags: Choices, id: string, base: string): Promise<string> {
    const resource = registry.all.find(
      ({ prefix, admin }) => prefix !== '' && !admin && id.startsWith(prefix),
    )
    if (!resource)
      throw new UsageError(`Expected docs, components or the id of an object, but received: ${id}`)
    const path = itemPath(resource.plural, id)
    const field = resource.fields[PAGE]
    const isPage = field?.kind === 'address'
    if (!(isPage && field.open) && (await isServingConsole(base))) {
      const { body } = await this.ask(flags, { method: 'GET', path })
      return `${base}/console/${flags.env}${itemPath(narrowest(resource, body).plural, id)}`
    }
    const { body } = await this.ask(flags, {
      method: 'GET',
      path: resource.name === 'transaction' ? `${path}/receipts` : path,
    })
    const page = isPage ? body[PAGE] : firstOf(body)?.[PAGE]
    if (typeof page === 'string') return page
    throw new UsageError(
      `There is no page of ${id}; payctl ${resource.plural.replaceAll('_', '-')} get ${id} shows it`,
    )
  }
}

/** Sources for the directives of a content security policy. */
function sourcesOf({ script, frame, connect }: NonNullable<RailEntry['pageOrigins']>) {
  return { script_src: script.join(' '), frame_src: frame.join(' '), connect_src: connect.join(' ') }
}

/** The narrowest resource of an object: an account is a customer or a processing account. */
function narrowest(resource: Resource, body: JsonObject): Resource {
  const views = registry.all.filter(({ prefix, view }) => view?.where && prefix === resource.prefix)
  const isOf = ({ view }: Resource) =>
    Object.entries(view?.where ?? {}).every(([name, value]) => body[name] === value)
  return views.find(isOf) ?? resource
}

function firstOf({ values }: JsonObject): JsonObject | undefined {
  const [first]: Json[] = Array.isArray(values) ? values : []
  return isObject(first) ? first : undefined
}
