import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const MOCHA = fileURLToPath(new URL('../../node_modules/mocha/bin/mocha.js', import.meta.url))
const REPORTER = fileURLToPath(new URL('../reporter.cjs', import.meta.url))

const FILES = {
  'passing.cjs': "describe('a sum', () => it('adds up', () => {}))",
  'failing.cjs': `
    const { deepStrictEqual } = require('node:assert')
    describe('a table', () => {
      it('holds in every case', () => {
        const errors = ['first', 'second'].map((name) => {
          try { deepStrictEqual([name], ['third']) } catch (cause) { return new Error('case ' + name, { cause }) }
        })
        throw new AggregateError(errors, '2 of 3 cases fail')
      })
      after(() => { throw new Error('not closed', { cause: new Error('it is in use') }) })
    })`,
}

describe('the test reporter', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'payctl-reporter-'))
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  })
  after(() => rmSync(folder, { recursive: true }))

  const report = async (options: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    await new Promise<string>((resolve) => {
      const files = Object.keys(FILES).map((name) => join(folder, name))
      const words = [MOCHA, '--no-config', '--reporter', REPORTER, ...options, ...files]
      const { MOCHA_WORKER_ID: _, ...inherited } = process.env
      // The exit code is ignored, because tests in these files fail on purpose.
      const variables = { ...inherited, PAYCTL_TEST_FOLDER: mkdtempSync(join(folder, 'run-')), ...env }
      execFile(process.execPath, words, { env: variables }, (_error, stdout) => resolve(stdout))
    })

  for (const options of [['--parallel', '--jobs', '2'], ['--no-parallel']])
    it(`shows with ${options[0]} the version, the progress, all inner errors, and the CPU`, async () => {
      const lines = (await report(options)).split('\n')
      expect(lines[0]).to.equal(`Node ${process.version}`)
      expect(lines.slice(1, 6).join('\n')).to.match(/^[.!]+ +\d tests, \d of 2 files$/m)
      const text = lines.join('\n')
      expect(text).to.match(/^failed: a table holds in every case: .+$/m)
      expect(text).to.include('2 of 3 cases fail')
      for (const name of ['first', 'second']) {
        expect(text).to.include(`case ${name}`)
        expect(text).to.match(new RegExp(`-\\s+"${name}"\\s+\\+\\s+"third"`))
      }
      expect(text.split('Caused by: it is in use')).to.have.length(2)
      expect(lines.at(-3)).to.match(/^1 passed, 2 failed in \d+ s, \d+ s of CPU/)
      const named = options[0] === '--parallel' ? Object.keys(FILES) : []
      for (const name of named) expect(lines.at(-3)).to.match(new RegExp(`; slowest: .*${name} \\d+ s`))
      expect(lines.slice(-2)).to.deep.equal(['1 passed, 2 failed', ''])
    })

  it('shows the names of tests on request', async () => {
    const text = await report(['--no-parallel'], { PAYCTL_TEST_NAMES: '1' })
    expect(text).to.match(/^Node v\d/)
    expect(text).to.include('adds up')
    expect(text).to.match(/^1 passed, 2 failed\n$/m)
  })
})
