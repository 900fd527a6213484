import process from 'node:process'
import type { Resource } from '../../../schema/resource.js'
import type { ClientRequest, Json, QueryPair } from '../../terminal/client/client.js'
import { type Choices, formatOf } from '../../terminal/command/global-flags.js'
import { ListCommand, type Listing } from '../../terminal/command/list-command.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { Refusal } from '../../terminal/failure/failure.js'
import { attributeNames, hasDateWord } from '../../terminal/input/query-text.js'
import { bracketed, shapeOf } from '../../terminal/input/shape.js'
import { cellOf } from '../../terminal/output/cell.js'
import { lookOf } from '../../terminal/output/look.js'
import { valuesOf } from '../../terminal/output/render.js'
import { filterable } from './filterable.js'
import { csvStyleOf, type GivenList, listFlags } from './list-flags.js'
import { filtersOfMoments, flagsOfMoments, momentsOf } from './moments.js'
import { queryOfList, requestedOfList } from './requested-list.js'

type ListRequest = ClientRequest & { readonly query: readonly QueryPair[] }

/** `payctl <topic> list` */
export function listCommand(resource: Resource, topic: string) {
  const shape = shapeOf(registry, resource)
  const moments = momentsOf(resource)
  /** Columns shown only on request: names of related objects. */
  const related = shape.columns.filter((path) => path.length > 1 && shape.field(path.slice(0, 1))?.nonDefault)
  const words = topic.replaceAll('-', ' ')
  return class List extends ListCommand {
    static override summary = `list ${words}, newest first`
    static override usage = `${topic} list [--where <filter>] [flags]`
    static override examples = [
      `payctl ${topic} list --limit 20`,
      `payctl ${topic} list --where 'created_at=>2d' --order-by created_at --json`,
      `payctl ${topic} list --created-after 2w --count`,
      `payctl ${topic} list --output-file ${topic.replaceAll(' ', '-')}.csv`,
    ]
    static override flags = { ...listFlags, ...flagsOfMoments(moments) }
    /** Attributes for the whole help page. They are in a function, so that the manifest does not contain them. */
    static readonly attributes = () => filterable(resource)

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
      const listing = {
        shape,
        most: mostOf(given),
        requested: namesShown(given) ?? requested.names?.map(attributeNames),
        file: given['output-file'],
        csv: csvStyleOf(given),
      }
      const isTable = formatOf(flags) === 'table' && listing.file === undefined
      if (listing.requested || !isTable || related.length === 0) await this.list(flags, request, listing)
      else await this.listWithNames(flags, request, listing)
    }

    /** Lists with the names of related objects, if the key may see them. */
    private async listWithNames(choices: Choices, request: ListRequest, listing: Listing): Promise<void> {
      const fields: QueryPair = ['fields', ['*', ...related.map(bracketed)].join(',')]
      try {
        await this.list(choices, { ...request, query: [...request.query, fields] }, listing)
      } catch (error) {
        // A narrowed key may see the list, but not the related objects.
        if (!(error instanceof Refusal && error.response.status === 403)) throw error
        await this.list(choices, request, listing)
      }
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

/**
 * Maximum number of objects to list. A file contains all objects by default, because a part of the list could be
 * mistaken for the whole list.
 */
function mostOf({ all, limit, 'output-file': file }: GivenList): number | undefined {
  return all || (file !== undefined && limit === undefined) ? Number.POSITIVE_INFINITY : limit
}
