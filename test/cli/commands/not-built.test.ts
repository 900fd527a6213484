import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { inHome } from '../../support/home.js'

const PACKAGE = fileURLToPath(new URL('../../..', import.meta.url))

describe('payctl in a clone that is not built', () => {
  const run = (...words: string[]) =>
    inHome((clone) => {
      mkdirSync(join(clone, 'bin'))
      for (const file of ['package.json', 'bin/package.json', 'bin/run.js'])
        cpSync(join(PACKAGE, file), join(clone, file))
      const args = [join(clone, 'bin', 'run.js'), ...words]
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
      return {
        status,
        stdout,
        stderr,
        sentence: `payctl is not built yet; run: npm run build (in ${realpathSync(clone)})`,
      }
    })

  it('names the command to run', async () => {
    const { sentence, ...said } = await run('customers', 'list')
    expect(said).to.deep.equal({ status: 1, stdout: '', stderr: `error: ${sentence}\n` })
  })

  it('reports it as JSON on request', async () => {
    const { status, stdout, stderr, sentence } = await run('customers', 'list', '--json')
    expect({ status, stdout }).to.deep.equal({ status: 1, stdout: '' })
    expect(JSON.parse(stderr)).to.deep.equal({
      object: 'error',
      error_type: 'InternalServerError',
      error_description: sentence,
      details: {},
      exit_code: 1,
    })
  })
})
