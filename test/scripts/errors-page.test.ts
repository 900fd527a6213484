import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { exitCodeOf, MEANINGS } from '../../src/cli/terminal/failure/exit-codes.js'
import { ERRORS } from '../../src/schema/error-types.js'

const PAGE = readFileSync('docs/errors.md', 'utf8')

/** Cells of each row of the page's tables, without headers. */
const ROWS = PAGE.split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('|---'))
  .map((line) => line.split('|').map((cell) => cell.trim()))

/** All source files of the program in one text, in which messages are looked up. */
const SAID = ['src', 'bin']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((name) => /\.[jt]s$/.test(name))
  .map((name) => readFileSync(name, 'utf8'))
  .join('\n')

describe('the page of errors', () => {
  it('has every type of error with its status and its exit code', () => {
    const rows = Object.entries(ERRORS).map(([type, status]) => [
      `\`${type}\``,
      String(status),
      String(exitCodeOf(status, type)),
    ])
    const found = ROWS.filter(([, type]) => rows.some(([name]) => name === type))
    expect(found.map((cells) => cells.slice(1, 4))).to.have.deep.members(rows)
  })

  it('has every exit code with its meaning', () => {
    for (const [code, meaning] of MEANINGS) expect(PAGE).to.include(`\n| ${code} | ${meaning} |\n`)
  })

  it('quotes only texts that the program contains', () => {
    const quotes = ROWS.map(([, text = '']) => text).filter(
      (text) => text.includes('…') || text.includes(' '),
    )
    const invented = quotes
      .flatMap((text) => text.split(/…|\(|\)|; |,|: /))
      .map((part) => part.trim())
      .filter((part) => part.length > 8 && !part.startsWith('it says') && !SAID.includes(part))
    expect(quotes).to.have.length.above(50)
    expect(invented).to.deep.equal([])
  })

  it('sorts its rows from A to Z', () => {
    const texts = PAGE.split('\n## When payctl does not start')[1]?.match(/^\| .* \|$/gm) ?? []
    const tables = texts.join('\n').split(/^\| it says .*$/m)
    for (const table of tables) {
      const words = table.trim().split('\n').map(wordsOf)
      expect(words).to.deep.equal([...words].sort())
    }
  })
})

/** Words of a row's first cell. */
function wordsOf(row: string): string {
  const [, text = ''] = row.split('|')
  return (
    text
      .toLowerCase()
      .match(/[a-z]+/g)
      ?.join(' ') ?? ''
  )
}
