import { groupedMoney } from '../../../schema/money.js'
import { groupedDigits } from '../output/progress.js'
import type { BatchFile } from './batch-file.js'
import type { BatchPlan } from './batch-plan.js'

/** A plan in words, printed before any row is sent. */
export function planText(name: string, as: string, plan: BatchPlan, file: BatchFile): readonly string[] {
  const { unreadable, problems, repeated, belowZero } = plan
  const { columns, implied, money } = file
  const guesses = columns.filter(({ isGuessed }) => isGuessed)
  const more = unreadable - problems.length
  return [
    `${name}: ${amountText(as, plan)}`,
    ...guesses.map(({ header, attribute }) => `  ${header} is read as ${attribute?.path.join('.')}`),
    ...implied.map(({ path, value }) => `  ${path.join('.')} is ${value}, as the file has no such column`),
    ...(repeated > 0 ? [`Warning: ${rowsText(repeated)} the same as one before; each is done.`] : []),
    ...(belowZero > 0 && money.isSignless
      ? [
          belowZero === 1
            ? '1 amount is written below zero, and means the same above.'
            : `${groupedDigits(belowZero)} amounts are written below zero, and mean the same above.`,
        ]
      : []),
    ...(unreadable > 0 ? [`${groupedDigits(unreadable)} of them cannot be read, and will fail:`] : []),
    ...problems.map(({ row, error }) => `  row ${row}, ${error}`),
    ...(more > 0 ? [`  and ${groupedDigits(more)} more`] : []),
  ]
}

function rowsText(count: number): string {
  return count === 1 ? '1 row is' : `${groupedDigits(count)} rows are`
}

/** Size of a plan in words: `3,200 rows (refund), 45,000.00 in all` */
export function amountText(as: string, { rows, total, amounts }: BatchPlan): string {
  const count = `${groupedDigits(rows)} ${rows === 1 ? 'row' : 'rows'} (${as})`
  return amounts > 0 ? `${count}, ${groupedMoney(total)} in all` : count
}
