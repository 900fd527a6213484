import { expect } from 'chai'
import fc from 'fast-check'
import type { FileColumn } from '../../../../src/cli/terminal/batch/file-columns.js'
import { cellReader } from '../../../../src/cli/terminal/batch/read-row.js'
import { surveyOf } from '../../../../src/cli/terminal/batch/survey-file.js'
import { Refusal } from '../../../../src/cli/terminal/failure/failure.js'
import type { FlagKind } from '../../../../src/schema/flag-description.js'

/** The values of a column as read from the whole file; undefined if the file is refused. */
async function valuesOf(kind: FlagKind, delimiter: string, texts: readonly string[]) {
  const columns: readonly FileColumn[] = [{ header: 'x', attribute: { path: ['x'], kind } }]
  const rows = texts.map((text, index) => ({ row: index + 2, cells: [text] }))
  async function* pages() {
    yield [{ row: 1, cells: ['x'] }, ...rows]
  }
  const survey = await surveyOf(pages(), { columns, given: {}, delimiter }).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined
    throw error
  })
  if (!survey) return undefined
  const money = { decimal: survey.decimal, isSignless: false }
  const read = cellReader(survey.columns, { implied: [], money, key: undefined })
  return rows.map(read).map(({ body, error }) => error ?? JSON.stringify(body))
}

interface Amount {
  readonly cents: number
  readonly isGrouped: boolean
  readonly hasCents: boolean
  readonly isNegative: boolean
}

/** An amount written with a decimal mark. */
function textOf({ cents, isGrouped, hasCents, isNegative }: Amount, mark: '.' | ','): string {
  const whole = String(Math.floor(cents / 100))
  const thousands = mark === '.' ? ',' : '.'
  const grouped = isGrouped ? whole.replace(/\B(?=(\d{3})+$)/g, thousands) : whole
  const rest = cents % 100 === 0 && !hasCents ? '' : mark + String(cents % 100).padStart(2, '0')
  return `${isNegative ? '-' : ''}${grouped}${rest}`
}

describe('a column with one number or date format', () => {
  it('has its amounts read as they were written, or is refused, for any other amounts', async () => {
    const cents = fc.oneof(
      fc.integer({ min: 1, max: 99_999_999 }),
      fc.integer({ min: 1, max: 9_999 }).map((n) => n * 100),
    )
    const amount = fc.record({
      cents,
      isGrouped: fc.boolean(),
      hasCents: fc.boolean(),
      isNegative: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(amount, { minLength: 1, maxLength: 5 }),
        fc.constantFrom(['.', ','] as const, ['.', ';'] as const, [',', ';'] as const, [',', '\t'] as const),
        async (amounts, [mark, delimiter]) => {
          const texts = amounts.map((one) => textOf(one, mark))
          const values = await valuesOf('money', delimiter, texts)
          const written = amounts.map(({ cents: minor, isNegative }) =>
            JSON.stringify({ x: (isNegative ? -minor : minor) / 100 }),
          )
          if (values) expect(values, texts.join(' | ')).to.deep.equal(written)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('has its quantities read as they were written, or is refused', async () => {
    const quantity = fc
      .integer({ min: 1, max: 99_999_999 })
      .chain((n) => fc.constantFrom(1, 10, 100, 1_000, 10_000).map((divisor) => n / divisor))
    await fc.assert(
      fc.asyncProperty(
        fc.array(quantity, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(['.', ','] as const, ['.', ';'] as const, [',', ';'] as const),
        async (quantities, [mark, delimiter]) => {
          const texts = quantities.map((value) => String(value).replace('.', mark))
          const values = await valuesOf('number', delimiter, texts)
          if (values)
            expect(values, texts.join(' | ')).to.deep.equal(quantities.map((x) => JSON.stringify({ x })))
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('has its dates read as they were written, or is refused', async () => {
    const day = fc
      .integer({ min: 0, max: 3_000 })
      .map((days) => new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10))
    await fc.assert(
      fc.asyncProperty(
        fc.array(day, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('$3/$2/$1', '$2/$3/$1', '$3.$2.$1', '$1-$2-$3', '$1/$2/$3'),
        async (days, form) => {
          const texts = days.map((iso) => iso.replace(/(\d+)-(\d+)-(\d+)/, form))
          const values = await valuesOf('date', ',', texts)
          if (values) expect(values, texts.join(' | ')).to.deep.equal(days.map((x) => JSON.stringify({ x })))
        },
      ),
      { numRuns: 1_000 },
    )
  })
})
