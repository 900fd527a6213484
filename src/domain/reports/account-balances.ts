import type { Work } from '../../engine/core/write/work.js'
import { addDays } from '../../platform/calendar/date.js'
import { dateOf } from '../../schema/datetime.js'
import { type SumScope, sumsOf } from './day-sums.js'
import { firstPosting } from './live-sums.js'

/**
 * Balances of a book account at the end of a day, in minor units, by processing account; without those for which nothing
 * was booked. The key of what belongs to none is empty.
 */
export async function balancesAtEnd(
  db: Work['tx']['db'],
  scope: SumScope,
  account: string,
  day: string,
): Promise<ReadonlyMap<string, number>> {
  const balances = new Map<string, number>()
  const first = await firstPosting(db)
  // No time zone is further behind than a day.
  const from = first === undefined ? undefined : addDays(dateOf(first), -1)
  if (from === undefined || day < from) return balances
  const [sums = []] = await sumsOf(db, scope, [{ from, to: day }])
  for (const { processing_id: id, from_account, to_account, amount } of sums) {
    if (from_account !== account && to_account !== account) continue
    const change = to_account === account ? amount : -amount
    balances.set(id ?? '', (balances.get(id ?? '') ?? 0) + change)
  }
  return balances
}
