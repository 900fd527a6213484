import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { inHome } from '../../support/home.js'
import { payctl } from './payctl.js'

/** Commands that run side by side. */
const MANY = 8

describe('settings of a home', () => {
  const configOf = (home: string) => join(home, 'settings', 'config.json')
  /** Runs each command in a separate process, all at the same time. */
  const together = async (home: string, commands: readonly (readonly string[])[]) => {
    const outcomes = await Promise.all(commands.map((words) => payctl({ home }, words, { through: [] })))
    for (const { exitCode, stderr } of outcomes) expect(exitCode, stderr).to.equal(0)
  }

  it('keep every setting and profile that commands change at the same time', () =>
    inHome(async (home) => {
      const names = Array.from({ length: MANY }, (_, index) => `a${index}`)
      await together(home, [
        ...names.map((name) => ['config', 'set', `alias.${name}`, 'transactions list']),
        ...names.map((name) => ['profiles', 'add', name, '--home', home]),
      ])
      expect(Object.keys(JSON.parse(readFileSync(configOf(home), 'utf8')).aliases)).to.have.members(names)
      const { stdout } = await payctl({ home }, ['profiles', 'list', '--jq', '.values[].name'])
      expect(stdout.trim().split('\n')).to.have.members(names)
    }))

  /** Expects a warning from help commands, and the same text as an error from others. */
  const expectDamage = async (home: string, words: readonly string[], text: string) => {
    for (const helping of [
      ['--version'],
      ['--help'],
      ['transactions', 'list', '--help'],
      ['help', 'flags'],
    ]) {
      const { exitCode, stdout, stderr } = await payctl({ home }, helping, { through: [] })
      expect({ exitCode, isEmpty: stdout === '' }, helping.join(' ')).to.deep.equal({
        exitCode: 0,
        isEmpty: false,
      })
      expect(stderr, helping.join(' ')).to.not.include('error:')
    }
    const completed = await payctl({ home }, ['autocomplete', 'words', '--', 'payctl transac'])
    expect(completed.stdout.split('\n')[0]).to.equal('transactions')
    const doctor = await payctl({ home }, ['doctor'])
    expect(doctor.exitCode).to.equal(8)
    expect(doctor.stdout).to.include(text)
    const refused = await payctl({ home }, words)
    expect(refused).to.include({ exitCode: 2, stdout: '' })
    expect(refused.stderr).to.include(text)
  }

  it('do not prevent help, version, completion or doctor if their files are damaged', () =>
    inHome(async (home) => {
      await payctl({ home }, ['config', 'set', 'utc', 'yes'])
      writeFileSync(configOf(home), '{"settings": {"utc": tr')
      await expectDamage(home, ['customers', 'list'], `rm ${configOf(home)}`)
    }))

  it('do not prevent help, version, completion or doctor if others can read them', () =>
    inHome(async (home) => {
      await payctl({ home }, ['config', 'set', 'utc', 'yes'])
      chmodSync(configOf(home), 0o644)
      await expectDamage(home, ['customers', 'list'], `chmod 600 ${configOf(home)}`)
    }))

  it('do not prevent help, version, completion or doctor if the profiles are damaged', () =>
    inHome(async (home) => {
      await payctl({ home }, ['profiles', 'add', 'desk', '--home', home])
      const file = join(home, 'settings', 'profiles.json')
      writeFileSync(file, '{')
      await expectDamage(home, ['customers', 'list'], `rm ${file}`)
    }))

  it('lose an invalid value by config unset, which the error suggests', () =>
    inHome(async (home) => {
      await payctl({ home }, ['config', 'set', 'utc', 'yes'])
      writeFileSync(configOf(home), JSON.stringify({ settings: { utc: 'yes', output: 'xml' }, aliases: {} }))
      const refused = await payctl({ home }, ['customers', 'list'])
      expect(refused.exitCode).to.equal(2)
      expect(refused.stderr).to.include('payctl config unset output')
      expect((await payctl({ home }, ['config', 'unset', 'output'])).exitCode).to.equal(0)
      expect((await payctl({ home }, ['config', 'get', 'utc'])).stdout).to.equal('yes\n')
    }))
})
