import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect } from 'chai'

const PAGES = [
  'README.md',
  'CHANGELOG.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

const long = (...words: string[]) =>
  spawnSync(process.execPath, ['scripts/long.mjs', ...words], { encoding: 'utf8' })

const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)

describe('npm run long', () => {
  const listed = namesIn(long().stdout, /^ {2}(\S+) {2}/gm)

  it('lists every run that the pages mention, and their page describes each', () => {
    expect(listed).to.include.members(['access', 'speed', 'fuzz'])
    for (const page of PAGES) {
      const named = namesIn(readFileSync(page, 'utf8'), /npm run long -- ([a-z-]+)/g)
      expect(listed, page).to.include.members(named)
    }
    const page = readFileSync('docs/long-runs.md', 'utf8')
    expect(namesIn(page, /^\| `([a-z-]+)(?: stripe)?` \|/gm)).to.include.members(listed)
  })

  it('refuses an unknown name', () => {
    const { status, stdout, stderr } = long('frobnicate')
    expect([status, stdout]).to.deep.equal([1, ''])
    expect(stderr).to.equal('There is no long run frobnicate; npm run long lists them\n')
  })

  it('passes options to a run, and ends with its exit code', () => {
    const { status, stderr } = long('rail', 'unknown')
    expect([status, stderr]).to.deep.equal([1, 'npm run long -- rail peer|stripe|authorizenet\n'])
  })
})

describe('pages of documentation', () => {
  it('name only scripts of package.json', () => {
    const { scripts }: { scripts: object } = JSON.parse(readFileSync('package.json', 'utf8'))
    for (const page of PAGES) {
      const named = namesIn(readFileSync(page, 'utf8'), /\bnpm run ([a-z][a-z:-]*)/g)
      expect(Object.keys(scripts), page).to.include.members(named)
    }
  })
})
