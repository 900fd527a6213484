import type { Work } from '../../../engine/core/write/work.js'

/** Values of transactions that were read from a range of rows. */
export interface Stretch<V> {
  /** Id of the last row; undefined when no rows are left. */
  readonly last: string | undefined
  readonly said: readonly (readonly [transactionId: string, value: V])[]
}

/** Transactions after an id, up to and including another; undefined `until` means no end. */
export interface Span {
  readonly after: string
  readonly until: string | undefined
}

/** Rows that name transactions, without an index that leads from a transaction to its rows. */
export interface Source<V> {
  /** Reads the rows after a position, and returns their values for the transactions of a span. */
  read(work: Work, position: string, span: Span): Promise<Stretch<V>>
  merge(one: V, other: V): V
}

/**
 * Values for transactions, read from rows that no index finds by transaction. All rows are read once for as many
 * transactions as memory allows, not once for each page of transactions. Rows written during the pass are missing, so
 * a finding must be confirmed by a fresh read.
 */
export class Gathered<V> {
  private readonly kept = new Map<string, V>()
  private span: Span = { after: '', until: undefined }
  private position = ''
  private isComplete = false

  constructor(
    private readonly source: Source<V>,
    /** Smallest number of transactions covered by one read of all rows. */
    private readonly mostKept: number,
  ) {}

  /** Last transaction that the values cover; undefined if all are covered. */
  get until(): string | undefined {
    return this.span.until
  }

  /**
   * Reads some of the rows, unless the values already cover the transactions after `after`. Returns whether more rows
   * must be read.
   */
  async readOn(work: Work, after: string): Promise<boolean> {
    const { until } = this.span
    if (this.isComplete && (until === undefined || after < until)) return false
    if (this.isComplete) this.beginAfter(after)
    const { last, said } = await this.source.read(work, this.position, this.span)
    for (const [id, value] of said) {
      const known = this.kept.get(id)
      this.kept.set(id, known === undefined ? value : this.source.merge(known, value))
    }
    if (this.kept.size > 2 * this.mostKept) this.narrow()
    this.isComplete = last === undefined
    this.position = last ?? ''
    return !this.isComplete
  }

  of(transactionId: string): V | undefined {
    return this.kept.get(transactionId)
  }

  private beginAfter(after: string): void {
    this.kept.clear()
    this.span = { after, until: undefined }
    this.isComplete = false
  }

  /** Keeps the first transactions; all rows are read once more for the transactions after them. */
  private narrow(): void {
    const ids = [...this.kept.keys()].sort()
    for (const id of ids.slice(this.mostKept)) this.kept.delete(id)
    this.span = { ...this.span, until: ids[this.mostKept - 1] }
  }
}
