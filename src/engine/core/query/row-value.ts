import { expressionBuilder, type RawBuilder, sql } from 'kysely'
import type { Stored } from '../../../schema/columns.js'
import { tableOf } from '../../../schema/resource.js'
import type { AnyTables } from '../../store/database/store.js'
import { endOf } from './end.js'
import { isManifold, type Target } from './target.js'
import { type QueryContext, visible } from './where.js'

/** An attribute that each row has one value of. Throws for one that leads through a list. */
export function rowValue(target: Target, table: string, context: QueryContext): RawBuilder<Stored> {
  const { steps, end } = target
  if (end.kind === 'item' || isManifold(target)) throw new Error('An attribute in a list has many values')
  const eb = expressionBuilder<AnyTables, string>()
  const name = (depth: number) => (depth < 0 ? table : `${table}_o${depth}`)
  return steps.reduceRight<RawBuilder<Stored>>(
    (inner, { field, resource }, depth) => {
      const [outer, related] = [name(depth - 1), name(depth)]
      const isRelated = sql`${sql.ref(`${related}.id`)} = ${sql.ref(`${outer}.${field.by}`)}`
      return sql<Stored>`(select ${inner} from ${sql.table(tableOf(resource))} as ${sql.ref(related)} where ${isRelated} and ${visible(eb, related, resource, context)})`
    },
    sql<Stored>`${endOf(end, name(steps.length - 1), context)}`,
  )
}
