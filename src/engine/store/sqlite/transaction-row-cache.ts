/** Maximum number of cached rows per query, so that a long transaction needs little memory. */
const MAX_KEPT = 100

/** Rows that one query found, by the id that was given to it; without given values under one key. */
export type CachedRows = Map<unknown, unknown[]>

/**
 * Rows that were read by id, or without given values, in the current transaction. Units of work that share a
 * commit thus look up their common account only once. No other connection can change a row during the
 * transaction. A statement that changes a table clears the rows of that table.
 */
export class TransactionRowCache {
  private readonly byTable = new Map<string, CachedRows[]>()

  /** Cache for the rows that one query reads from a table. */
  of(table: string): CachedRows {
    const known: CachedRows = new Map()
    this.byTable.set(table, [...(this.byTable.get(table) ?? []), known])
    return known
  }

  /** Clears the cached rows of a changed table; without a name, those of all tables. */
  forget(table?: string): void {
    if (table === undefined) for (const known of this.byTable.values()) clear(known)
    else clear(this.byTable.get(table) ?? [])
  }
}

/** Rows that a query finds, from the cache or by `read`. */
export function knownOrRead<R>(known: CachedRows, id: unknown, read: () => R[]): R[]
export function knownOrRead(known: CachedRows, id: unknown, read: () => unknown[]): unknown[] {
  const found = known.get(id)
  if (found) return found
  const rows = read()
  if (known.size < MAX_KEPT) known.set(id, rows)
  return rows
}

function clear(known: readonly CachedRows[]): void {
  for (const rows of known) rows.clear()
}
