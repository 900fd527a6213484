import { groupedMoney } from '../../../schema/money.js'
import { groupedDigits } from '../output/progress.js'
import type { BatchFile } from './batch-file.js'
import type { BatchPlan } from './batch-plan.js'

/** A plan in words, printed before any row is sent. */
export function planText(name: string, as: string, plan: BatchPlan, file: BatchFile): readonly string[] {
  const { unreadable, problems, belowZero } = plan
  const { columns, implied, money, notes } = file
  const guesses = columns.filter(({ isGuessed }) => isGuessed)
  const more = unreadable - problems.length
  return [
    `${name}: ${amountText(as, plan)}`,
    ...guesses.map(({ header, attribute }) => `  ${header} is read as ${attribute?.path.join('.')}`),
    ...implied.map(({ path, value }) => `  ${path.join('.')} is ${value}, as the file has no such column`),
    ...notes.map((note) => `  ${note}`),
    ...duplicatesText(plan, file),
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

/** Text that names the rows equal to an earlier row, and says whether they are sent or left out. */
function duplicatesText({ repeated, duplicates }: BatchPlan, { skipsDuplicates }: BatchFile): string[] {
  if (repeated === 0) return []
  const named = duplicates.map(({ row, first }) => `row ${row} as row ${first}`).join(', ')
  const more = repeated > duplicates.length ? `, and ${groupedDigits(repeated - duplicates.length)} more` : ''
  const rows = repeated === 1 ? '1 row is' : `${groupedDigits(repeated)} rows are`
  const them = repeated === 1 ? 'it' : 'them'
  return skipsDuplicates
    ? [`${rows} left out, the same as an earlier one: ${named}${more}.`]
    : [
        `Warning: ${rows} the same as an earlier one: ${named}${more}. Each is done; --skip-duplicates leaves ${them} out.`,
      ]
}

/** Size of a plan in words: `3,200 rows (refund), 45,000.00 in all` */
export function amountText(as: string, { rows, total, amounts }: BatchPlan): string {
  const count = `${groupedDigits(rows)} ${rows === 1 ? 'row' : 'rows'} (${as})`
  return amounts > 0 ? `${count}, ${groupedMoney(total)} in all` : count
}
