import { type Expression, type OperationNode, type RawBuilder, RawNode, sql } from 'kysely'

/** The tables that raw SQL reads and writes, written down beside it: its text is never searched for them. */
export interface RawUse {
  readonly reads: readonly string[]
  readonly writes?: readonly string[]
  /** Whether it locks rows or names. */
  readonly locks?: true
  /** Whether it changes the schema, or how the database works. */
  readonly schema?: true
}

/** Raw SQL together with the tables that it uses. Units of work refuse a raw statement without them. */
export function using<R>(use: RawUse, raw: RawBuilder<R>): RawBuilder<R> {
  return sql<R>`${new UseMarker(use)}${raw}`
}

/** Raw SQL that computes a value from those around it: it reads no table and changes nothing. */
export function scalar<R>(raw: RawBuilder<R>): RawBuilder<R> {
  return using({ reads: [] }, raw)
}

/** What a raw node says of itself by its first parameter; undefined when it says nothing. */
export function useOf({ parameters: [first] }: RawNode): RawUse | undefined {
  return first && 'use' in first && isUse(first.use) ? first.use : undefined
}

/** An expression without text, which carries the use of the SQL behind it through Kysely's syntax tree. */
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
