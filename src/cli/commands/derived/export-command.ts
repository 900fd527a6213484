import type { Resource } from '../../../schema/resource.js'
import { type Choices, formatOf } from '../../terminal/command/global-flags.js'
import { ListCommand } from '../../terminal/command/list-command.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { hasDateWord } from '../../terminal/input/query-text.js'
import { shapeOf } from '../../terminal/input/shape.js'
import { formatOfFile } from '../../terminal/output/format.js'
import { filterable } from './filterable.js'
import { csvStyleOf, type GivenList, listFlags } from './list-flags.js'
import { filtersOfMoments, flagsOfMoments, momentsOf } from './moments.js'
import { queryOfList, requestedOfList } from './requested-list.js'

/**
 * `payctl <topic> export`: all objects that match the filters, with all attributes, as CSV unless another
 * format is given.
 */
export function exportCommand(resource: Resource, topic: string) {
  const shape = shapeOf(registry, resource)
  const moments = momentsOf(resource)
  const { where, 'order-by': order, 'output-file': file, delimiter, bom, dates } = listFlags
  return class Export extends ListCommand {
    static override summary = `write all ${topic} that matches as CSV, to a file or to standard output`
    static override usage = `${topic} export [--where <filter>] [flags]`
    static override examples = [
      `payctl ${topic} export --created-after 2w --output-file ${topic}.csv`,
      `payctl ${topic} export --where 'created_at=>2d' --order-by created_at -o ndjson`,
    ]
    static override flags = {
      where,
      'order-by': order,
      'output-file': file,
      delimiter,
      bom,
      dates,
      ...flagsOfMoments(moments),
    }
    static readonly attributes = () => filterable(resource)

    async run(): Promise<void> {
      const { flags } = await this.parse(Export)
      const given: GivenList = { ...flags, all: true, count: false }
      const filters = [...(given.where ?? []), ...filtersOfMoments(moments, flags)]
      const now = filters.some(hasDateWord) ? await this.now(flags) : 0
      const requested = requestedOfList(given)
      const query = queryOfList(given, filters, requested, { shape, now })
      await this.list(
        withCsv(flags, given['output-file']),
        { method: 'GET', path: `/${resource.plural}`, query },
        { shape, most: Number.POSITIVE_INFINITY, file: given['output-file'], csv: csvStyleOf(given) },
      )
    }
  }
}

/** Choices with CSV instead of a table, unless the name of the file determines another format. */
function withCsv<C extends Choices>(choices: C, file: string | undefined): C {
  const isNamed = file !== undefined && formatOfFile(file) !== undefined
  return formatOf(choices) === 'table' && !isNamed ? { ...choices, output: 'csv' } : choices
}
