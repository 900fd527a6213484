import { groupedDigits } from '../output/progress.js'
import type { RowOutcome } from './result-files.js'

/** How many rows have which outcome. */
export class BatchSummary {
  done = 0
  declined = 0
  failed = 0
  waiting = 0
  /** Rows that had their outcome before this run. */
  before = 0
  /** Declined and failed rows among those. */
  badBefore = 0

  add({ status, before }: RowOutcome): void {
    if (status === 'done') this.done++
    else if (status === 'declined') this.declined++
    else if (status === 'failed') this.failed++
    else this.waiting++
    if (!before) return
    this.before++
    if (status === 'declined' || status === 'failed') this.badBefore++
  }

  get all(): number {
    return this.done + this.declined + this.failed + this.waiting
  }

  get bad(): number {
    return this.declined + this.failed
  }

  /** `1,200 done (200 before), 3 declined` */
  get text(): string {
    const { done, declined, failed, waiting, before } = this
    const words = [
      `${groupedDigits(done)} done`,
      declined > 0 && `${groupedDigits(declined)} declined`,
      failed > 0 && `${groupedDigits(failed)} failed`,
      waiting > 0 && `${groupedDigits(waiting)} without an outcome yet`,
      before > 0 && `${groupedDigits(before)} of them before`,
    ]
    return words.filter(Boolean).join(', ')
  }
}
