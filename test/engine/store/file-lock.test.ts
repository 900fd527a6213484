import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect } from 'chai'
import { withFileLock } from '../../../src/engine/store/files/file-lock.js'
import { inHome } from '../../support/home.js'

describe('a lock file', () => {
  it('exists while work runs and is removed afterwards, even after an error', () =>
    inHome((home) => {
      const lock = join(home, 'lock')
      expect(withFileLock(lock, () => existsSync(lock))).to.equal(true)
      expect(existsSync(lock)).to.equal(false)
      const fail = () => {
        throw new Error('failed')
      }
      expect(() => withFileLock(lock, fail)).to.throw('failed')
      expect(existsSync(lock)).to.equal(false)
    }))

  it('is taken over from a process that was killed', () =>
    inHome((home) => {
      const lock = join(home, 'lock')
      const { pid } = spawnSync(process.execPath, ['-e', ''])
      writeFileSync(lock, String(pid))
      expect(withFileLock(lock, () => 'done')).to.equal('done')
      expect(existsSync(lock)).to.equal(false)
    }))
})
