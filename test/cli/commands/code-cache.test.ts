import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { inHome } from '../../support/home.js'

const RUN = fileURLToPath(new URL('../../../bin/run.js', import.meta.url))

describe('the cache of compiled code', () => {
  it("is created by the first start of a command, in the user's cache folder, for this Node", () =>
    inHome(async (home) => {
      const { folder, run } = cacheIn(home)
      await run('help', 'filters')
      expect(statSync(folder).mode & 0o777).to.equal(0o700)
      const [name = '', ...others] = readdirSync(folder)
      expect(others).to.deep.equal([])
      expect(name).to.match(/^payctl-[0-9a-f]{64}-/)
      expect(name).to.include(`-${process.version}-${process.arch}-help-filters.`)
      expect(statSync(join(folder, name)).mode & 0o777).to.equal(0o600)
      // Only the cache was created, without a home of payctl.
      expect(existsSync(join(home, 'payctl-home'))).to.equal(false)
    }))

  it('is used by the next start, and rebuilt if V8 refuses it', () =>
    inHome(async (home) => {
      const { folder, run } = cacheIn(home)
      await run('help', 'filters')
      const file = join(folder, String(readdirSync(folder)[0]))
      const long = new Date('2099-01-01T00:00:00Z')
      utimesSync(file, long, long)
      await run('help', 'filters')
      expect(statSync(file).mtimeMs).to.equal(long.getTime())
      writeFileSync(file, 'no code')
      await run('help', 'filters')
      expect(statSync(file).size).to.be.above(100_000)
    }))

  it('is complete after several commands start at once', () =>
    inHome(async (home) => {
      const { folder, run } = cacheIn(home)
      await Promise.all(Array.from({ length: 4 }, () => run('help', 'filters')))
      expect(readdirSync(folder)).to.have.length(1)
      await run('help', 'filters')
    }))

  it('is neither read nor written if others could change it', () =>
    inHome(async (home) => {
      const { folder, run } = cacheIn(home)
      mkdirSync(folder, { recursive: true })
      chmodSync(folder, 0o755)
      await run('help', 'filters')
      expect(readdirSync(folder)).to.deep.equal([])
    }))

  it('is skipped if it cannot be created', () =>
    inHome(async (home) => {
      writeFileSync(join(home, 'file'), '')
      await cacheIn(join(home, 'file')).run('help', 'filters')
    }))

  it('stores no entry for a failed command, and deletes entries after a month', () =>
    inHome(async (home) => {
      const { folder, run } = cacheIn(home)
      await run('help', 'filters')
      const file = join(folder, String(readdirSync(folder)[0]))
      utimesSync(file, 0, 0)
      await run('help', 'wrong').catch((error: unknown) => error)
      expect(readdirSync(folder)).to.have.length(1)
      await run('help', 'exit-codes')
      expect(readdirSync(folder).join()).to.match(/-help-exit-codes\.code$/)
    }))
})

/** Commands with their own cache folder. Each must succeed without output on stderr. */
function cacheIn(home: string) {
  const run = async (...words: string[]) => {
    const env = { PATH: process.env['PATH'], XDG_CACHE_HOME: home, PAYCTL_HOME: join(home, 'payctl-home') }
    const child = spawn(process.execPath, [RUN, ...words], { env })
    const closed = once(child, 'close')
    const said = await text(child.stderr)
    expect([said, ...(await closed)]).to.deep.equal(['', 0, null])
  }
  return { folder: join(home, 'payctl'), run }
}
