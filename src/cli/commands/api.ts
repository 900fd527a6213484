import { string } from '@oclif/core/args'
import type { Json, Method, QueryPair } from '../terminal/client/client.js'
import { PayctlCommand } from '../terminal/command.js'
import { writeFlags } from '../terminal/global-flags.js'
import { readData } from '../terminal/input/data.js'
import { shapeless } from '../terminal/input/shape.js'
import { dataFlag } from './derived/create.js'

const METHODS = { GET: 'GET', POST: 'POST', PUT: 'PUT', DELETE: 'DELETE' } as const satisfies Record<
  Method,
  Method
>

export class Api extends PayctlCommand {
  static override summary = 'send a request as it is'
  static override usage = 'api METHOD PATH [--data <file>] [flags]'
  static override examples = [
    "payctl api GET '/transactions?fields=*,ledger&limit=5'",
    'payctl api POST /transactions --data payment.json --dry-run',
  ]
  static override args = {
    method: string({
      required: true,
      description: 'GET, POST, PUT or DELETE',
      options: Object.values(METHODS),
    }),
    path: string({ required: true, description: 'path and query, as over HTTP' }),
  }
  static override flags = { data: dataFlag, ...writeFlags }
  protected override readonly isRaw = true

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Api)
    const [path = '', search = ''] = split(args.path)
    const query: QueryPair[] = [...new URLSearchParams(search)]
    const body: Json | undefined =
      flags.data === undefined ? undefined : await readData(flags.data, this.stdin)
    await this.send(
      { ...flags, output: flags.output === 'table' ? 'json' : flags.output },
      { method: methodOf(args.method), path, query, ...(body !== undefined && { body }), shape: shapeless },
    )
  }
}

/** Everything after the first question mark is the query. */
function split(target: string): [path: string, search: string] {
  const at = target.indexOf('?')
  return at === -1 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)]
}

function methodOf(text: string): Method {
  return Object.values(METHODS).find((method) => method === text) ?? 'GET'
}
