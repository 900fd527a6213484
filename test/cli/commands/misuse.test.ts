import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { objectOf } from '../../support/core.js'
import { type FlagOfManifest, MANIFEST } from './invocations.js'
import { payctlMany } from './many.js'

interface Misuse {
  readonly words: readonly string[]
  /** Text that the message must contain. */
  readonly named: string
}

const IDS = Object.keys(MANIFEST).filter((id) => id !== 'help' && id !== 'autocomplete:words')

/** Commands that take any number of words. */
const ANY_WORDS = ['transactions:find']

/** All misuses of a command that follow from its declaration. */
function misusesOf(id: string): readonly Misuse[] {
  const { args = {}, flags = {} } = MANIFEST[id] ?? {}
  const words = id.split(':')
  const given = Object.values(args).map(({ options }) => options?.[0] ?? 'any_1')
  const required = Object.entries(args).filter(([, arg]) => arg.required)
  const [missing] = required.map(([name, { description = '' }]) => {
    const noun = /^id of the ([^,]+)/.exec(description)?.[1]
    return noun === undefined ? `Missing ${name.toUpperCase()}` : `Which ${noun}?`
  })
  const wrong = Object.entries(flags).flatMap(([name, flag]) =>
    wrongValues(flag).map((value) => ({
      words: [...words, ...given, `--${name}=${value}`],
      named: `--${name}`,
    })),
  )
  return [
    { words: [...words, ...given, '--frobnicate'], named: '--frobnicate' },
    ...(ANY_WORDS.includes(id) ? [] : [{ words: [...words, ...given, 'surplus'], named: 'surplus' }]),
    ...(missing === undefined ? [] : [{ words, named: missing }]),
    ...Object.entries(args).flatMap(([name, { options }]) =>
      options
        ? [{ words: [...words, ...given.slice(0, Object.keys(args).indexOf(name)), 'wrong'], named: 'wrong' }]
        : [],
    ),
    ...wrong,
  ]
}

/** Invalid values of a flag. */
function wrongValues({ options, helpValue, type }: FlagOfManifest): readonly string[] {
  if (type === 'boolean') return []
  if (options) return ['wrong']
  switch (helpValue) {
    case '<amount>':
      return ['lots', '12.505', '1,25']
    case '<number>':
      return ['many', '--']
    default:
      return []
  }
}

describe('every command, used wrongly,', () => {
  let home: string
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'payctl-misuse-'))
  })
  after(() => rmSync(home, { recursive: true }))

  it('exits with 2 and names the error, for people and programs', async () => {
    const misuses = IDS.flatMap(misusesOf)
    expect(misuses.length).to.be.above(1_000)
    const [text, json] = await Promise.all([
      payctlMany(
        { home },
        misuses.map(({ words }) => words),
      ),
      payctlMany(
        { home },
        misuses.map(({ words }) => [...words, '--json']),
      ),
    ])
    const wrong = misuses.filter(({ named }, index) => {
      const said = text[index]
      const told = json[index]
      if (!said || !told || said.stdout !== '' || told.stdout !== '') return true
      if (said.exitCode !== 2 || told.exitCode !== 2) return true
      const {
        error_type: type,
        exit_code: code,
        error_description: description,
      } = objectOf(JSON.parse(told.stderr))
      const isError = type === 'Usage' && code === 2 && String(description).includes(named)
      return !isError || !/^(error: .+\n)+$/.test(said.stderr) || !said.stderr.includes(named)
    })
    expect(wrong.map(({ words }) => words.join(' '))).to.deep.equal([])
  })
})
