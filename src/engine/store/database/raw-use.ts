import { type Expression, type OperationNode, type RawBuilder, RawNode, sql } from 'kysely'

/**
 * Tables that raw SQL reads and writes. They are declared beside the SQL, whose text is never searched for
 * them.
 */
export interface RawUse {
  readonly reads: readonly string[]
  readonly writes?: readonly string[]
  /** Whether the SQL takes locks on rows or on names. */
  readonly locks?: true
  /** Whether the SQL changes the schema or settings of the database. */
  readonly schema?: true
}

/** Raw SQL together with the tables that it uses. Units of work refuse raw SQL without this declaration. */
export function using<R>(use: RawUse, raw: RawBuilder<R>): RawBuilder<R> {
  return sql<R>`${new UseMarker(use)}${raw}`
}

/** Raw SQL that only computes a value from its arguments and uses no table. */
export function scalar<R>(raw: RawBuilder<R>): RawBuilder<R> {
  return using({ reads: [] }, raw)
}

/** Declared use of a raw node, from its first parameter; undefined if the node declares no use. */
export function useOf({ parameters: [first] }: RawNode): RawUse | undefined {
  return first && 'use' in first && isUse(first.use) ? first.use : undefined
}

/** Expression without text, which carries the declared use of its SQL through Kysely's syntax tree. */
class UseMarker implements Expression<unknown> {
  constructor(private readonly use: RawUse) {}

  get expressionType(): undefined {
    return undefined
  }

  toOperationNode(): OperationNode {
    const marked: RawNode & { readonly use: RawUse } = { ...RawNode.create([''], []), use: this.use }
    return marked
  }
}

function isUse(value: unknown): value is RawUse {
  return typeof value === 'object' && value !== null && 'reads' in value
}
