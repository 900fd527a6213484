import type { Work } from '../../engine/core/write/work.js'
import { addDays } from '../../platform/calendar/date.js'
import { localDate } from '../../platform/calendar/zone.js'
import { dateOf, millisecondsOf } from '../../schema/datetime.js'
import { type SumScope, sumsOf } from './day-sums.js'
import { firstPosting, readSums } from './live-sums.js'
import { momentsOfDays } from './report-period.js'

/**
 * Balances of a book account before a moment, in minor units, by processing account. Processing accounts without
 * postings are left out. The key of postings without a processing account is empty.
 */
export async function balancesBefore(
  db: Work['tx']['db'],
  scope: SumScope,
  account: string,
  moment: string,
): Promise<ReadonlyMap<string, number>> {
  const balances = new Map<string, number>()
  const first = await firstPosting(db)
  // In some time zones, the local day of the first posting is the day before its date in UTC.
  const from = first === undefined ? undefined : addDays(dateOf(first), -1)
  if (from === undefined) return balances
  const day = localDate(scope.zone, millisecondsOf(moment))
  const last = addDays(day, -1)
  const [whole = []] = last < from ? [] : await sumsOf(db, scope, [{ from, to: last }])
  const { start } = momentsOfDays({ from: day, to: day }, scope.zone)
  const begun = start < moment ? await readSums(db, { start, end: moment }, scope.accounts) : []
  for (const { processing_id: id, from_account, to_account, amount } of [...whole, ...begun]) {
    if (from_account !== account && to_account !== account) continue
    const change = to_account === account ? amount : -amount
    balances.set(id ?? '', (balances.get(id ?? '') ?? 0) + change)
  }
  return balances
}
