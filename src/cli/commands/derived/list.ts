import process from 'node:process'
import type { Resource } from '../../../schema/resource.js'
import type { ClientRequest, Json } from '../../terminal/client/client.js'
import { registry } from '../../terminal/declared.js'
import { type Choices, formatOf } from '../../terminal/global-flags.js'
import { attributeNames, hasDateWord } from '../../terminal/input/query.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { ListCommand } from '../../terminal/list-command.js'
import { cellOf } from '../../terminal/output/cell.js'
import { lookOf } from '../../terminal/output/look.js'
import { valuesOf } from '../../terminal/output/render.js'
import { type GivenList, listFlags } from './list-flags.js'
import { filtersOfMoments, flagsOfMoments, momentsOf } from './moments.js'
import { queryOfList, requestedOfList } from './requested-list.js'

/** `payctl <topic> list` */
export function listCommand(resource: Resource, topic: string) {
  const shape = shapeOf(registry, resource)
  const moments = momentsOf(resource)
  const words = topic.replaceAll('-', ' ')
  return class List extends ListCommand {
    static override summary = `list ${words}, newest first`
    static override usage = `${topic} list [--where <filter>] [flags]`
    static override examples = [
      `payctl ${topic} list --limit 20`,
      `payctl ${topic} list --where 'created_at=>2d' --order-by created_at --json`,
      `payctl ${topic} list --created-after 2w --count`,
      `payctl ${topic} list --output-file ${topic}.csv`,
    ]
    static override flags = { ...listFlags, ...flagsOfMoments(moments) }

    async run(): Promise<void> {
      const { flags } = await this.parse(List)
      const given: GivenList = flags
      const filters = [...(given.where ?? []), ...filtersOfMoments(moments, flags)]
      const now = filters.some(hasDateWord) ? await this.now(flags) : 0
      const requested = requestedOfList(given)
      const query = queryOfList(given, filters, requested, { shape, now })
      const request = { method: 'GET', path: `/${resource.plural}`, query } as const
      if (requested.figure !== undefined && formatOf(flags) === 'table' && given['output-file'] === undefined)
        return await this.figure(flags, request, attributeNames(requested.figure))
      await this.list(flags, request, {
        shape,
        most: mostOf(given),
        requested: namesShown(given) ?? requested.names?.map(attributeNames),
        file: given['output-file'],
      })
    }

    /** Prints a single figure; the sum of no objects is 0. */
    private async figure(choices: Choices, request: ClientRequest, name: string): Promise<void> {
      const { body } = await this.ask(choices, request)
      const value: Json = valuesOf(body)?.[0]?.[name] ?? 0
      await this.write(
        choices,
        `${cellOf(value, shape.field([name]), lookOf(process.stdout, process.env)).text}\n`,
      )
    }
  }
}

function namesShown({ columns }: GivenList): readonly string[] | undefined {
  return columns === undefined ? undefined : attributeNames(columns).split(',')
}

/** The most objects to list. A file gets all by default: a part could be mistaken for the whole. */
function mostOf({ all, limit, 'output-file': file }: GivenList): number | undefined {
  return all || (file !== undefined && limit === undefined) ? Number.POSITIVE_INFINITY : limit
}
