import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { inHome } from '../../support/home.js'
import { payctl } from './payctl.js'

const PACKAGE = fileURLToPath(new URL('../../..', import.meta.url))
const SENTENCE = `SQLite's library is missing or does not fit this machine (${process.platform}-${process.arch}); install payctl anew on it.`

describe('payctl with a broken native SQLite module', () => {
  for (const [what, spoil] of [
    ['is missing', () => undefined],
    ['does not fit', spoilNative],
  ] as const)
    it(`reports that it ${what}, and doctor reports it beside its other checks`, () =>
      inHome(async (place) => {
        makePackage(place)
        spoil(place)
        const home = join(place, 'home')
        const run = (...words: string[]) => {
          const env = { PATH: process.env['PATH'], PAYCTL_HOME: home }
          return spawnSync(process.execPath, [join(place, 'bin', 'run.js'), ...words], {
            env,
            encoding: 'utf8',
          })
        }
        for (const isMade of [false, true]) {
          const { status, stdout, stderr } = run('customers', 'list')
          expect({ status, stdout, stderr }).to.deep.equal({
            status: 1,
            stdout: '',
            stderr: `error: ${SENTENCE}\n`,
          })
          if (!isMade) await payctl({ home }, ['customers', 'create', '--name', 'Ada'])
        }
        const { status, stdout, stderr } = run('doctor')
        expect({ status, stderr }).to.deep.equal({ status: 8, stderr: '' })
        expect(stdout).to.include(SENTENCE).and.to.include('key file')
      }))
})

function makePackage(place: string): void {
  for (const name of ['bin', 'package.json'])
    cpSync(join(PACKAGE, name), join(place, name), { recursive: true })
  for (const name of ['dist', 'node_modules']) symlinkSync(join(PACKAGE, name), join(place, name))
}

function spoilNative(place: string): void {
  mkdirSync(join(place, 'prebuilds'))
  for (const libc of ['linux', 'linuxmusl', 'darwin', 'win32'])
    writeFileSync(join(place, 'prebuilds', `${libc}-${process.arch}.node`), 'no library')
}
