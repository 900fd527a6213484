import { join } from 'node:path'
import { expect } from 'chai'
import { keyFilePath, readKeyFile } from '../../../../src/engine/store/vault/key-file.js'
import { payctl } from '../payctl.js'
import { atTerminals } from '../wizards/terminals.js'

atTerminals('payctl vault forget', (open, place) => {
  const run = async (...words: string[]) => await payctl(place(), words)

  /** Rotates the keys; returns the id of the retired key. */
  const retire = async (): Promise<string> => {
    const { current } = readKeyFile(keyFilePath(place().home))
    const { stdout } = await run('vault', 'rotate', '--json', '--confirm', current)
    return String(JSON.parse(stdout).retired[0])
  }

  it('asks for confirmation, and names the backups that need the key', async () => {
    await run('customers', 'create', '--name', 'Ada')
    // A PostgreSQL database is backed up by its own tools.
    const isKnown = place().databaseUrl === undefined
    const backup = join(place().home, 'backup')
    if (isKnown) await run('backup', backup)
    const key = await retire()
    const warning = isKnown
      ? `makes these backups useless: ${backup}`
      : 'no backup that is known here needs it'

    const terminal = await open({ columns: 200 })
    await terminal.enter(`payctl vault forget ${key}`)
    const question = await terminal.sees('Go on?')
    expect(question).to.include(`Forgetting ${key} cannot be undone`).and.include(warning)
    await terminal.press('Enter')
    await terminal.sees('Not confirmed; nothing was changed.')

    await terminal.enter(`clear; payctl vault forget ${key}`)
    await terminal.sees(/^(?![\s\S]*Not confirmed)[\s\S]*Go on\?/)
    await terminal.enter('y')
    await terminal.sees(/useless[\s\S]*\n\$$/)
    const { exitCode, stderr } = await run('vault', 'forget', key, '--yes')
    expect([exitCode, stderr.includes(`There is no key ${key}`)]).to.deep.equal([5, true])
  })

  it('needs --yes if it cannot prompt', async () => {
    const { exitCode, stderr } = await run('vault', 'forget', await retire())
    expect(exitCode).to.equal(2)
    expect(stderr).to.include('cannot be undone').and.include('add --yes')
  })
})
