import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { ResourceModel } from '../../../model/resource-model.js'
import type { Ownership } from '../../../schema/resource.js'
import type { AnyTables, Scan } from '../../store/database/store.js'
import type { Principal } from '../request/principal.js'

type Builder = ExpressionBuilder<AnyTables, string>

/**
 * Conditions on the rows that a restricted principal may see. A row must belong to one of its processing
 * accounts, by any of the ways that the declaration lists. Empty for an unrestricted principal.
 */
export function inScope(
  eb: Builder,
  table: string,
  resource: ResourceModel,
  { principal }: Pick<ScopeContext, 'principal'>,
): Expression<SqlBool>[] {
  const ids = principal.processingIds
  if (!ids) return []
  // PostgreSQL does not accept an empty list. A key restricted to no accounts sees no rows.
  if (ids.length === 0) return [sql<SqlBool>`1 = 0`]
  return [owned(eb, table, resource, { ids, isIntermediate: false })]
}

/** Principal and business time of a query. */
export interface ScopeContext {
  readonly principal: Principal
  /** Business time as a datetime; derived attributes depend on it. */
  readonly now: string
  /** Ends the reads of a list that take too long, or that no client waits for any more. */
  readonly scan?: Scan | undefined
}

interface Narrowing {
  readonly ids: readonly string[]
  /** Whether the row is only a link between another row and its processing account. */
  readonly isIntermediate: boolean
}

function owned(
  eb: Builder,
  table: string,
  resource: ResourceModel,
  narrowing: Narrowing,
): Expression<SqlBool> {
  return eb.or(resource.ownership.map((way) => ownedBy(eb, table, { way, resource }, narrowing)))
}

function ownedBy(
  eb: Builder,
  table: string,
  { way, resource: { model } }: { readonly way: Ownership; readonly resource: ResourceModel },
  narrowing: Narrowing,
): Expression<SqlBool> {
  const { ids, isIntermediate: isOnTheWay } = narrowing
  if (way.kind === 'names') return eb(sql.ref(`${table}.${way.column}`), 'in', [...ids])
  const inner = `${table}_s`
  const resource = model.get(way.resource)
  const [theirs, ours] = way.kind === 'parent' ? ['id', way.column] : [way.column, 'id']
  const found = eb.exists(
    eb
      .selectFrom(`${resource.table} as ${inner}`)
      .select(sql<number>`1`.as('found'))
      .where(sql.ref(`${inner}.${theirs}`), '=', sql.ref(`${table}.${ours}`))
      .where((e) => owned(e, inner, resource, { ids, isIntermediate: true })),
  )
  const owner = way.kind === 'named_by' && isOnTheWay ? way.unlessOwned : undefined
  return owner === undefined ? found : eb.and([eb(sql.ref(`${table}.${owner}`), 'is', null), found])
}
