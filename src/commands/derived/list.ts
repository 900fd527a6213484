import { boolean, integer, string } from '@oclif/core/flags'
import type { Resource } from '../../schema/resource.js'
import type { QueryPair } from '../../terminal/client.js'
import { PayctlCommand } from '../../terminal/command.js'
import { attributeNames, hasDateWord, wherePair } from '../../terminal/query.js'
import { type Shape, shapeOf } from '../../terminal/shape.js'
import { registry } from '../declared.js'

/** `payctl <topic> list` */
export function listCommand(resource: Resource, topic: string) {
  const shape = shapeOf(registry, resource)
  const words = topic.replaceAll('-', ' ')
  return class List extends PayctlCommand {
    static override summary = `list ${words}, newest first`
    static override usage = `${topic} list [--where <filter>] [flags]`
    static override examples = [
      `payctl ${topic} list --limit 20`,
      `payctl ${topic} list --where 'created_at=>2d' --order-by created_at --json`,
    ]
    static override flags = {
      where: string({
        char: 'w',
        multiple: true,
        summary: "filter, as in 'amount=>100' or 'status=authorized|processed'; several must all hold",
        helpValue: '<filter>',
      }),
      limit: integer({ summary: 'at most so many (100 unless told, at most 1000)', helpValue: '<number>' }),
      offset: integer({ summary: 'leave out so many from the start', helpValue: '<number>' }),
      'order-by': string({
        summary: 'attribute to order by; -amount or desc(amount) turns it around',
        helpValue: '<name>',
      }),
      count: boolean({ summary: 'count all that match, on stderr' }),
    }

    async run(): Promise<void> {
      const { flags } = await this.parse(List)
      const now = flags.where?.some(hasDateWord) ? await this.now(flags) : 0
      const query = queryOf(flags, shape, now)
      const { headers, body } = await this.send(flags, {
        method: 'GET',
        path: `/${resource.plural}`,
        query,
        shape,
        count: flags.count,
      })
      if (flags.count) process.stderr.write(`${headers['X-Total-Count'] ?? 'unknown'} in all\n`)
      else if (headers.Link && Array.isArray(body.values))
        this.say(flags, `More follow: --offset ${(flags.offset ?? 0) + body.values.length}`)
    }
  }
}

interface Given {
  readonly where?: string[] | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly 'order-by'?: string | undefined
}

function queryOf(
  { where = [], limit, offset, 'order-by': order }: Given,
  shape: Shape,
  now: number,
): QueryPair[] {
  const query = where.map((text) => wherePair(text, shape, now))
  if (limit !== undefined) query.push(['limit', String(limit)])
  if (offset !== undefined) query.push(['offset', String(offset)])
  if (order !== undefined) query.push(['order_by', attributeNames(order)])
  return query
}
