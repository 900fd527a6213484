import type { Work } from '../../../engine/core/write/work.js'
import { waitForName } from '../../../engine/store/database/differences.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { AccountRow, InvoiceRow } from '../../../engine/store/database/tables.js'
import { localDate } from '../../../platform/calendar/zone.js'
import { processingSettingsOf } from '../../accounts/processing-settings-rule.js'
import { zoneOf } from './invoice-days.js'

type Numbered = Pick<InvoiceRow, 'number' | 'number_series' | 'number_position'>

const DEFAULT_PREFIX = 'INV'
const MIN_DIGITS = 6

/**
 * Next invoice number in the account's series of the current year. Units of work that take a number of the same
 * series wait for each other until they commit. So the series has no gaps: a unit of work that is rolled back uses up
 * no number. Deleted invoices keep their numbers.
 */
export async function nextNumber(work: Work, account: AccountRow): Promise<Numbered> {
  const { invoice_prefix: prefix } = await processingSettingsOf(work, account)
  const year = localDate(await zoneOf(work, account.id), work.milliseconds).slice(0, 4)
  const series = seriesOf(account.id, year)
  await waitForName(work.tx, `invoice numbers ${series}`)
  const [last] = await work.tx.run(lastInSeries, { series })
  const position = Number(last?.number_position ?? 0) + 1
  return {
    number: `${prefix || DEFAULT_PREFIX}-${numberEnd(year, position)}`,
    number_series: series,
    number_position: position,
  }
}

/** Name of the series of numbers of an account in a year. */
function seriesOf(accountId: string, year: string): string {
  return `${accountId}/${year}`
}

/** Part of an invoice number that follows the prefix, such as `2027-000123`. */
export function numberEnd(year: string, position: number): string {
  return `${year}-${String(position).padStart(MIN_DIGITS, '0')}`
}

const lastInSeries = prepared<{ series: string }, Pick<InvoiceRow, 'number_position'>>((db, param) =>
  db
    .selectFrom('invoices')
    .select('number_position')
    .where('number_series', '=', param('series'))
    .orderBy('number_position', 'desc')
    .limit(1),
)
