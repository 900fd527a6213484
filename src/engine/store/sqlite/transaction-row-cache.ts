/** So many rows of each query are kept at most, so that a long transaction needs little memory. */
const MAX_KEPT = 100

/** The rows that one query found by their ids. */
export type KnownById = Map<unknown, unknown[]>

/**
 * Rows that were read by their ids in the transaction that runs, so that works which share a commit read the account they
 * all go to once. Nobody else changes a row meanwhile; each statement that changes a table makes its rows be read again.
 */
export class TransactionRowCache {
  private readonly byTable = new Map<string, KnownById[]>()

  /** Where what one query reads of a table is kept. */
  of(table: string): KnownById {
    const known: KnownById = new Map()
    this.byTable.set(table, [...(this.byTable.get(table) ?? []), known])
    return known
  }

  /** A table was changed; without its name any may have been, or the transaction is another one. */
  forget(table?: string): void {
    if (table === undefined) for (const known of this.byTable.values()) clear(known)
    else clear(this.byTable.get(table) ?? [])
  }
}

/** The rows that a query finds by an id, read unless they are known; their type is the query's. */
export function knownOrRead<R>(known: KnownById, id: unknown, read: () => R[]): R[]
export function knownOrRead(known: KnownById, id: unknown, read: () => unknown[]): unknown[] {
  const found = known.get(id)
  if (found) return found
  const rows = read()
  if (known.size < MAX_KEPT) known.set(id, rows)
  return rows
}

function clear(known: readonly KnownById[]): void {
  for (const byId of known) byId.clear()
}
