import type { Work } from '../../engine/core/write/work.js'

/** What some rows of a table say of transactions. */
export interface Stretch<V> {
  /** The last of the rows; undefined when none was left. */
  readonly last: string | undefined
  readonly said: readonly (readonly [transactionId: string, value: V])[]
}

/** The transactions after an id, up to another one, or all that follow. */
export interface Span {
  readonly after: string
  readonly until: string | undefined
}

/** Rows that name transactions and are not found by them. */
export interface Source<V> {
  /** The rows that follow an id, and what they say of the transactions of a span. */
  read(work: Work, position: string, span: Span): Promise<Stretch<V>>
  merge(one: V, other: V): V
}

/**
 * What rows say of the transactions that they name, where no index leads from a transaction to them. All of them are read
 * once for as many transactions as there is room for, not once for each page of transactions. Rows that are written meanwhile
 * are missing, so who finds something wrong has to look again.
 */
export class Gathered<V> {
  private readonly kept = new Map<string, V>()
  private span: Span = { after: '', until: undefined }
  private position = ''
  private isComplete = false

  constructor(
    private readonly source: Source<V>,
    /** For how many transactions, at least, before all rows are read again. */
    private readonly mostKept: number,
  ) {}

  /** The last transaction for which it is complete; undefined for all that there are. */
  get until(): string | undefined {
    return this.span.until
  }

  /** Reads some of the rows, unless it is complete for what follows a transaction. Answers whether more are to be read. */
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

  /** Keeps the first transactions; all rows are read once more for those that follow. */
  private narrow(): void {
    const ids = [...this.kept.keys()].sort()
    for (const id of ids.slice(this.mostKept)) this.kept.delete(id)
    this.span = { ...this.span, until: ids[this.mostKept - 1] }
  }
}
