import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { commandPage } from '../../../src/cli/terminal/help/command-page.js'
import { onSqlite } from '../../support/databases.js'
import { hasTerminal, Terminal } from '../../support/terminal.js'
import { MANIFEST } from './invocations.js'
import { payctl } from './payctl.js'

/** Longest allowed page, in lines of 80 columns. */
const MAX_LINES = 80

function pageOf(id: string, width: number, isWhole = false): string {
  const command = MANIFEST[id]
  if (!command) throw new Error(`There is no command ${id}`)
  return commandPage({ command: { id, ...command }, commands: [], isWhole, look: { width, colour: false } })
}

/** Lines that are wider than a page, except for single words and quoted texts, which cannot be wrapped. */
function tooWide(page: string, width: number): readonly string[] {
  const isWord = (line: string) =>
    !line
      .replace(/'[^']*'/g, 'quoted')
      .replace(/ \\$/, '')
      .trim()
      .includes(' ')
  return page.split('\n').filter((line) => line.length > width && !isWord(line))
}

describe('help texts', () => {
  for (const width of [40, 80, 120])
    it(`fit ${width} columns, in full and folded`, () => {
      for (const id of Object.keys(MANIFEST))
        for (const isWhole of [false, true])
          expect(tooWide(pageOf(id, width, isWhole), width), id).to.deep.equal([])
    })

  it('are short, with examples first and global flags in one line', () => {
    for (const id of Object.keys(MANIFEST)) {
      const lines = pageOf(id, 80).trimEnd().split('\n')
      expect(lines.length, id).to.be.at.most(MAX_LINES)
      const heads = lines.filter((line) => /^[A-Z][A-Z ]+$/.test(line))
      if (id !== 'autocomplete:words') expect(heads[0], id).to.equal('EXAMPLES')
      if (!heads.includes('GLOBAL FLAGS')) continue
      expect(heads.at(-1), id).to.equal('GLOBAL FLAGS')
      expect(lines.at(-1), id).to.match(/^ {2}--env, .*: payctl help flags$/)
      expect(lines.at(-2), id).to.equal('GLOBAL FLAGS')
    }
  })

  it('fold the flags of nested objects to one line each, which --help-all unfolds', () => {
    const folded = pageOf('transactions:create', 80)
    expect(folded)
      .to.match(/^ +--payment-method\.… +\d+ flags: /m)
      .and.not.include('--payment-method.account-holder')
    expect(folded).to.match(/^ +--help-all +help with every flag$/m)
    const names = Object.keys(MANIFEST['transactions:create']?.flags ?? {})
    const whole = pageOf('transactions:create', 80, true)
    const missing = names.filter(
      (name) => !new RegExp(`--(\\[no-\\])?${name.replaceAll('.', '\\.')}\\b`).test(whole),
    )
    expect(missing).to.deep.equal([])
    expect(pageOf('customers:get', 80)).to.not.include('--help-all')
  })

  it('align all descriptions in one column', () => {
    const lines = pageOf('transactions:void', 80).split('\n')
    const columns = lines.flatMap((line) => {
      const [, term = ''] = /^( {2}\S.*?\S {2,}| {6,}--.*?\S {2,})\S/.exec(line) ?? []
      return term === '' ? [] : [term.length]
    })
    expect(new Set(columns).size).to.equal(1)
  })

  it('suggest similar topics and commands for unknown ones', async () => {
    const said = async (...words: string[]) => {
      const { exitCode, stdout, stderr } = await payctl({ home: '/nowhere' }, words)
      expect({ exitCode, stdout }, words.join(' ')).to.deep.equal({ exitCode: 2, stdout: '' })
      return stderr
    }
    const explain = 'did you mean payctl transactions explain?\n'
    expect(await said('explain')).to.equal(`error: There is no command explain; ${explain}`)
    expect(await said('explain', 'txn_1')).to.equal(`error: There is no command explain txn_1; ${explain}`)
    expect(await said('transactoins', '--help')).to.include('did you mean payctl transactions?')
    expect(await said('help', 'transactoins')).to.include('did you mean payctl transactions?')
    expect(await said('help', 'transactions', 'lst')).to.include('did you mean payctl transactions list?')
    expect(await said('help', 'frobnicate')).to.include('see payctl --help')
    expect(await said('transactions', 'frobnicate')).to.include('see payctl transactions --help')
    expect(await said('--frobnicate')).to.include('Expected a command before --frobnicate')
  })

  it('are shown by -h and --help-all, and -v shows the version', async () => {
    const run = (...words: string[]) => payctl({ home: '/nowhere' }, words)
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect((await run('-v')).stdout).to.match(new RegExp(`^payctl/${version} `))
    expect(await run('-h')).to.deep.equal(await run('--help'))
    expect(await run('orgs', 'create', '-h')).to.deep.equal(await run('orgs', 'create', '--help'))
    const { stdout, exitCode } = await run('orgs', 'create', '--help-all')
    expect(exitCode).to.equal(0)
    expect(stdout).to.include('--processing-settings.minimum-bill').and.include('--no-pager')
  })

  it('show the flags of every command on a separate page', async () => {
    const run = (...words: string[]) => payctl({ home: '/nowhere' }, words)
    const { stdout, exitCode } = await run('help', 'flags')
    expect(exitCode).to.equal(0)
    expect(stdout).to.include('GLOBAL FLAGS').and.include('--idempotency-key').and.include('PAYCTL_PROFILE')
    const { values } = JSON.parse((await run('help', 'flags', '--json')).stdout)
    expect(values).to.deep.include({ flag: '--json', variable: null, meaning: values[5].meaning })
  })
})

if (hasTerminal())
  onSqlite((open) => {
    describe('help texts at a terminal', () => {
      let terminal: Terminal | undefined
      afterEach(() => terminal?.close())

      for (const columns of [40, 80, 120])
        it(`are wrapped to ${columns} columns`, async () => {
          terminal = await Terminal.open(await open(), { columns, rows: 150 })
          await terminal.enter('clear; payctl transactions create --help; echo "end"-1')
          await terminal.sees('\nend-1\n$')
          const shown = (await terminal.screen()).split('\n').slice(0, -2).join('\n').trimEnd()
          expect(shown).to.equal(pageOf('transactions:create', columns).trimEnd())
        })
    })
  })
