import { expect } from 'chai'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { type RawRow, rawRows } from '../../../../src/cli/terminal/batch/raw-rows.js'

const DELIMITERS = [',', ';', '\t', '"', '::'] as const

async function rowsOf(
  text: string,
  { size, delimiter }: { size: number; delimiter: string },
): Promise<RawRow[]> {
  const bytes = new TextEncoder().encode(text)
  async function* pieces() {
    for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
  }
  const dialect = {
    format: 'csv',
    encoding: 'utf-8',
    delimiter,
    mark: false,
    separatorLine: '',
    isSafe: false,
    isExact: false,
  } as const
  const rows: RawRow[] = []
  for await (const page of rawRows(pieces(), dialect)) rows.push(...page)
  return rows
}

function rowsByLibrary(text: string, delimiter: string): RawRow[] {
  const records: string[][] = parse(text, { delimiter, relax_column_count: true, relax_quotes: true })
  return records
    .map((cells, index) => ({ row: index + 1, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
}

describe('the rows of a CSV file', () => {
  it('equal those of csv-parse, however the file is split into chunks', async () => {
    const piece = fc.constantFrom(
      'a',
      'é',
      '1.50',
      ',',
      ';',
      '\t',
      '\n',
      '\r\n',
      '\r',
      ' ',
      '::',
      '"',
      '"x,\ny"',
      "'=1",
    )
    const plain = fc.constantFrom('a', 'é', '', ',', ';', '\n', '\r\n', '\r', 'b c')
    const text = fc.oneof(fc.array(piece), fc.array(plain), fc.array(fc.constantFrom('a', ',', '\r\n')))
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(...DELIMITERS),
        async (parts, size, delimiter) => {
          const whole = parts.join('')
          const expected = settled(() => rowsByLibrary(whole, delimiter))
          const rows = await rowsOf(whole, { size, delimiter }).catch(() => 'refused')
          expect(rows).to.deep.equal(expected)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('are limited in length, with or without quotes', async () => {
    for (const start of ['', '"']) {
      const read = rowsOf(`a,b\n1,2\n${start}${'x'.repeat(1_100_000)}`, { size: 65_536, delimiter: ',' })
      const error: unknown = await read.catch((reason: unknown) => reason)
      expect(String(error), start).to.match(/: row 3$/)
    }
  })
})

function settled<T>(read: () => T): T | 'refused' {
  try {
    return read()
  } catch {
    return 'refused'
  }
}
