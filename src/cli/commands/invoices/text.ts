import type { InvoicePage } from '../../../http/payer/invoice-page.js'
import { widthOf } from '../../terminal/output/width.js'
import { wrapped } from '../../terminal/output/wrap.js'

/** Widths of the columns of numbers: quantity, price, total. */
const NUMBERS: readonly number[] = [8, 14, 15]
/** Sum of these widths. */
const NUMBERS_WIDTH = 37
const MIN_TEXT = 20

/** The page of an invoice as plain text of `width` columns. Longer texts continue on the next line. */
export function invoiceText(page: InvoicePage, width = 80): string {
  const text = Math.max(MIN_TEXT, width - NUMBERS_WIDTH)
  const row = (what: string, ...numbers: readonly string[]) => rowsOf(what, text, numbers)
  const rule = '-'.repeat(text + NUMBERS_WIDTH)
  const paid = page.payments.map(({ text: what, date, amount }) =>
    row([date, what].filter(Boolean).join('  '), '', '', amount),
  )
  return [
    `${page.from[0] ?? ''}`,
    ...page.from.slice(1),
    '',
    ...factsOf([
      ['Invoice', [page.number]],
      ['Status', [page.status.replaceAll('_', ' ')]],
      ['Date', [page.issued]],
      ['Due', [page.due]],
      ['Paid', [page.paidOn]],
      ['For', [page.description]],
      ['Bill to', page.to],
    ]),
    '',
    ...row('Description', 'Qty', 'Price', 'Total'),
    rule,
    ...page.charges.flatMap(({ text: what, date, qty, price, total }) =>
      row([what, date].filter(Boolean).join('  '), qty, price, total),
    ),
    rule,
    ...row(`Total due (${page.currency})`, '', '', page.totalDue),
    ...paid.flat(),
    ...row('Paid', '', '', page.totalPaid),
    ...row(`Amount due (${page.currency})`, '', '', page.amountDue),
  ]
    .map((line) => line.trimEnd())
    .join('\n')
}

type Fact = readonly [name: string, lines: readonly (string | undefined)[]]

function factsOf(facts: readonly Fact[]): string[] {
  return facts.flatMap(([name, lines]) =>
    lines
      .filter((line) => line !== undefined)
      .map((line, index) => `${(index === 0 ? name : '').padEnd(10)}${line}`),
  )
}

function rowsOf(what: string, width: number, numbers: readonly string[]): string[] {
  const [first = '', ...more] = wrapped(what, width - 1, 2)
  const cells = numbers.map((number, index) => number.padStart(NUMBERS[index] ?? 0))
  return [
    `${first}${' '.repeat(width - widthOf(first))}${cells.join('')}`,
    ...more.map((line) => `  ${line}`),
  ]
}
