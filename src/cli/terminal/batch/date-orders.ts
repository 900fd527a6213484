import type { JsonObject } from '../../../schema/json.js'
import { bothReadings, type DateOrder, orderIn } from '../input/date-order.js'
import type { Sighting } from './number-marks.js'

/**
 * Dates of a column that show the order of day and month: the first for each order, and the first that allows both
 * orders.
 */
export class DateOrders {
  private readonly seen = new Map<DateOrder | 'either', Sighting>()

  add(cell: Sighting): void {
    const order = orderIn(cell.text)
    if (order !== undefined && !this.seen.has(order)) this.seen.set(order, cell)
  }

  /**
   * Returns the order of day and month for the whole column; `mdy` if no date depends on it. Adds a problem
   * if dates contradict each other, or if all of them allow two readings.
   */
  decide(problems: JsonObject): DateOrder {
    const [dmy, mdy, either] = [this.seen.get('dmy'), this.seen.get('mdy'), this.seen.get('either')]
    if (dmy && mdy)
      problems[dmy.header] =
        `${dmy.text} in row ${dmy.row} has its day first, and ${mdy.text} in row ${mdy.row} its month; ` +
        '--dates dmy reads the one, --dates mdy the other'
    else if (either && !dmy && !mdy)
      problems[either.header] = `${either.text} in row ${either.row} is ${bothReadings(either.text)}`
    return dmy ? 'dmy' : 'mdy'
  }

  /** Sentence about the order of day and month in the file; undefined if no date depends on it. */
  get note(): string | undefined {
    const { header, row, text } = this.seen.get('dmy') ?? this.seen.get('mdy') ?? {}
    return (
      text && `${header} has its ${this.seen.has('dmy') ? 'day' : 'month'} first, as ${text} in row ${row}`
    )
  }
}
