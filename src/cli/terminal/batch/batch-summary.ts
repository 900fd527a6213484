import { groupedDigits } from '../output/progress.js'
import type { RowOutcome } from './result-files.js'

/** Number of rows by outcome. */
export class BatchSummary {
  done = 0
  declined = 0
  failed = 0
  /** Rows that were edited after their outcome and are therefore skipped. */
  edited = 0
  waiting = 0
  /** Rows that had their outcome before this run. */
  before = 0
  /** Declined, failed and edited rows among `before`. */
  badBefore = 0

  add({ status, before }: RowOutcome): void {
    if (status === 'done') this.done++
    else if (status === 'declined') this.declined++
    else if (status === 'failed') this.failed++
    else if (status === 'edited') this.edited++
    else this.waiting++
    if (!before) return
    this.before++
    if (status !== 'done' && status !== 'waiting') this.badBefore++
  }

  get all(): number {
    return this.done + this.declined + this.failed + this.edited + this.waiting
  }

  get bad(): number {
    return this.declined + this.failed + this.edited
  }

  /** Counts in words: `1,200 done, 3 declined, 200 of them in an earlier run` */
  get text(): string {
    const { done, declined, failed, edited, waiting, before } = this
    const words = [
      `${groupedDigits(done)} done`,
      declined > 0 && `${groupedDigits(declined)} declined`,
      failed > 0 && `${groupedDigits(failed)} failed`,
      edited > 0 && `${groupedDigits(edited)} edited since and left alone`,
      waiting > 0 && `${groupedDigits(waiting)} without an outcome yet`,
      before > 0 && `${groupedDigits(before)} of them in an earlier run`,
    ]
    return words.filter(Boolean).join(', ')
  }
}
