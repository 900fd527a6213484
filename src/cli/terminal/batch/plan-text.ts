import { groupedMoney } from '../../../schema/money.js'
import { groupedDigits } from '../output/progress.js'
import type { BatchPlan } from './plan.js'

/** A plan in words, shown before anything is sent. */
export function planText(name: string, as: string, plan: BatchPlan): readonly string[] {
  const { unreadable, problems } = plan
  const more = unreadable - problems.length
  return [
    `${name}: ${amountText(as, plan)}`,
    ...(unreadable > 0 ? [`${groupedDigits(unreadable)} of them cannot be read, and will fail:`] : []),
    ...problems.map((problem) => `  ${problem}`),
    ...(more > 0 ? [`  and ${groupedDigits(more)} more`] : []),
  ]
}

/** `3,200 rows (refund), 45,000.00 in all` */
export function amountText(as: string, { rows, total, amounts }: BatchPlan): string {
  const count = `${groupedDigits(rows)} ${rows === 1 ? 'row' : 'rows'} (${as})`
  return amounts > 0 ? `${count}, ${groupedMoney(total)} in all` : count
}
