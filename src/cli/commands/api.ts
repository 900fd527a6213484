import { isUtf8 } from 'node:buffer'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { string } from '@oclif/core/args'
import { boolean, string as text } from '@oclif/core/flags'
import type { ClientRequest, Json, Method, QueryPair } from '../terminal/client/client.js'
import { writeFlags } from '../terminal/command/global-flags.js'
import { ListCommand } from '../terminal/command/list-command.js'
import { UsageError } from '../terminal/failure/failure.js'
import { isObject } from '../terminal/input/body.js'
import { readContent, readData } from '../terminal/input/data.js'
import { bracketed, pathOf, shapeless } from '../terminal/input/shape.js'
import type { StandardInput } from '../terminal/input/stdin.js'
import { valuesOf } from '../terminal/output/render.js'
import { allOf } from '../terminal/paging/pages.js'
import { withRest } from '../terminal/paging/rest-links.js'

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE']
/** Maximum nesting of form fields; bodies of the API are nested less deeply. */
const DEPTH = 32

export class Api extends ListCommand {
  static override summary = 'send any request to the interface'
  static override description =
    'Fields of -d have the names of a form: payment_method[card][expiry]=12/39 or payment_method.card.expiry=12/39, items[0][amount]=5. ' +
    'Repeat -d for several. name=@<file> is the content of a file, and name=@@x the text @x. With a JSON file, fields override its content.'
  static override usage = 'api METHOD PATH [-d <field>=<value>] [-q <name>=<value>] [--paginate] [flags]'
  static override examples = [
    "payctl api get '/transactions?fields=*,ledger&limit=5'",
    "payctl api get /transactions -q 'amount=>100' -q status=processed --paginate -o ndjson",
    'payctl api post /customers -d name=Ada -d email=ada@example.com',
    'payctl api POST /transactions --data payment.json -d amount=5 --dry-run',
  ]
  static override args = {
    method: string({ required: true, description: 'GET, POST, PUT or DELETE, in any case' }),
    path: string({ required: true, description: 'path and query, as over HTTP' }),
  }
  static override flags = {
    data: text({
      char: 'd',
      multiple: true,
      multipleNonGreedy: true,
      summary: 'a field of the body, or a JSON file with the whole body: @<file>, or - for standard input',
      helpValue: '<field>=<value>',
    }),
    query: text({
      char: 'q',
      multiple: true,
      multipleNonGreedy: true,
      summary: 'a parameter of the query',
      helpValue: '<name>=<value>',
    }),
    paginate: boolean({ summary: 'follow the links to further pages, and to the rest of nested lists' }),
    ...writeFlags,
  }
  protected override readonly isRaw = true
  protected override readonly isNamed = false

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Api)
    const method = methodOf(args.method)
    const [path = '', search = ''] = split(args.path)
    const query: QueryPair[] = [...new URLSearchParams(search), ...(flags.query ?? []).map(parameterOf)]
    const choices = { ...flags, output: flags.output === 'table' ? ('json' as const) : flags.output }
    if (method === 'GET' && flags.data !== undefined)
      throw new UsageError('A GET has no body for --data; parameters are -q <name>=<value>')
    if (flags.paginate) return await this.paginate(choices, { method, path, query })
    const body = flags.data && (await bodyOf(flags.data, this.stdin))
    await this.send(choices, { method, path, query, ...(body !== undefined && { body }), shape: shapeless })
  }

  /**
   * Prints a whole list, page by page, or an object with complete nested lists. A given `limit` is ignored.
   */
  private async paginate(choices: Parameters<Api['ask']>[0], request: ClientRequest): Promise<void> {
    if (request.method !== 'GET') throw new UsageError('Only what GET answers has pages to follow')
    const response = await this.ask(choices, request)
    if (valuesOf(response.body) === undefined) {
      const { body, missing } = await withRest(
        (rest) => allOf((one) => this.ask(choices, one), rest),
        response,
      )
      await this.print(choices, body, shapeless)
      this.sayCut(missing)
      return
    }
    const query = (request.query ?? []).filter(([name]) => name !== 'limit')
    await this.list(choices, { ...request, query }, { shape: shapeless, most: Number.POSITIVE_INFINITY })
  }
}

/** Splits a target at its first question mark into path and query. */
function split(target: string): [path: string, search: string] {
  const at = target.indexOf('?')
  return at === -1 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)]
}

function methodOf(word: string): Method {
  const method = METHODS.find((one) => one === word.toUpperCase())
  if (method) return method
  throw new UsageError(`Expected ${METHODS.join(', ')} as the method, but received: ${word}`)
}

function parameterOf(given: string): QueryPair {
  const at = given.indexOf('=')
  if (at < 1) throw new UsageError(`Expected --query <name>=<value>, but received: ${given}`)
  return [given.slice(0, at), given.slice(at + 1)]
}

/**
 * Body of the request. The file in --data, if any, is read first; fields in --data override its attributes. Throws a
 * `UsageError`.
 */
async function bodyOf(given: readonly string[], stdin: StandardInput): Promise<Json> {
  const isField = (one: string) => /^[\w.[\]-]+=/.test(one)
  const [file, second] = given.filter((one) => !isField(one))
  if (second !== undefined)
    throw new UsageError(`Expected one file as --data, but received ${file} and ${second}`)
  const whole = file === undefined ? undefined : await readData(file.replace(/^@/, ''), stdin)
  const fields = await Promise.all(given.filter(isField).map(fieldOf))
  if (fields.length === 0) return whole ?? {}
  const form = await formOf(fields)
  if (whole === undefined) return form
  if (!isObject(whole) || !isObject(form)) throw new UsageError('Fields can only be put over an object')
  return merged(whole, form)
}

/**
 * A form field written as `name=value`. With `name=@file`, the value is the content of the file; `@@x` stands for the
 * text `@x`.
 */
async function fieldOf(given: string): Promise<QueryPair> {
  const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(given) ?? []
  const path = /^\w+(\.\w+)+$/.test(name) ? bracketed(pathOf(name)) : name
  if (value.startsWith('@@')) return [path, value.slice(1)]
  return [path, value.startsWith('@') ? await contentOf(value.slice(1), name) : value]
}

/**
 * Content of a file for a field: text without its last line end, or a `data:` URL for other bytes. Throws a
 * `UsageError` if the file cannot be read.
 */
async function contentOf(path: string, name: string): Promise<string> {
  if (!existsSync(path))
    throw new UsageError(
      `There is no file ${path} for -d ${name}=@${path}; the text itself is ${name}=@@${path}`,
    )
  const bytes = await readFile(path)
  return isUtf8(bytes) ? bytes.toString('utf8').replace(/\r?\n$/, '') : await readContent(path)
}

/** Body of a form with these fields, as `serve` parses it. */
async function formOf(fields: readonly QueryPair[]): Promise<Json> {
  const { jsonOfFields } = await import('../../http/api/parse-form.js')
  try {
    return jsonOfFields(fields, DEPTH)
  } catch (error) {
    throw new UsageError(`--data: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function merged(base: Json | undefined, over: Json): Json {
  if (!isObject(base) || !isObject(over)) return over
  const inner = Object.entries(over).map(([name, value]) => [name, merged(base[name], value)] as const)
  return { ...base, ...Object.fromEntries(inner) }
}
