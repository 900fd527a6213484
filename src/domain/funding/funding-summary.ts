import type { TransactionRow } from '../../engine/store/database/tables.js'

/** A complete deposit, reversal or bill, and the number of its transactions. */
export interface CompletedBatch {
  readonly row: TransactionRow
  readonly transactions: number
}

/** Receives the progress of a run, after each unit of work. */
export interface FundingListener {
  /** `count` more transactions were captured. */
  onCaptured?(count: number): void
  /** `count` more transactions were added to a deposit or a bill. */
  onAdded?(count: number): void
  onCompleted?(batch: CompletedBatch): void
}

/** Counts the results of a run. */
export class FundingSummary implements FundingListener {
  private captured = 0
  private added = 0
  private readonly completed: CompletedBatch[] = []

  onCaptured(count: number): void {
    this.captured += count
  }

  onAdded(count: number): void {
    this.added += count
  }

  onCompleted(batch: CompletedBatch): void {
    this.completed.push(batch)
  }

  /** Summary in the form of the answer of `run_funding`. */
  get shown() {
    return {
      captured: this.captured,
      transactions: this.added,
      deposits: this.completed.map(({ row, transactions }) => ({
        transaction_id: row.id,
        processing_id: row.processing_id,
        period: row.period,
        type: row.type === 'deposit' ? ('deposit' as const) : ('reversal' as const),
        amount: row.amount,
        fee: row.fee,
        transactions,
      })),
    }
  }
}
