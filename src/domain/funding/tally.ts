import type { Made, Told } from './told.js'

/** Counts what a run does. */
export class Tally implements Told {
  private capturedCount = 0
  private addedCount = 0
  private readonly completed: Made[] = []

  captured(count: number): void {
    this.capturedCount += count
  }

  added(count: number): void {
    this.addedCount += count
  }

  made(batch: Made): void {
    this.completed.push(batch)
  }

  get counts() {
    return {
      captured: this.capturedCount,
      transactions: this.addedCount,
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
