import { expect } from 'chai'
import { payctl } from '../payctl.js'
import { atTerminals } from './terminals.js'

atTerminals('payctl keys revoke and keys rotate at a terminal', (open, place) => {
  const statuses = async () => {
    const { stdout } = await payctl(place(), ['keys', 'list', '--json'])
    const keys: { values: { description: string; status: string }[] } = JSON.parse(stdout)
    return keys.values.map(({ description, status }) => `${description} ${status}`).toSorted()
  }

  it('report that there is no key, and otherwise list active keys and ask for confirmation', async () => {
    const terminal = await open()
    await terminal.enter('payctl keys revoke')
    await terminal.sees('There is no active key; payctl keys list shows them all')
    for (const description of ['the till', 'the website'])
      expect((await payctl(place(), ['keys', 'create', '--description', description])).exitCode).to.equal(0)
    await terminal.enter('clear; payctl keys revoke')
    await terminal.sees(/the website[\s\S]*the till[\s\S]*navigate/)
    await terminal.type('till')
    await terminal.sees(/❯ .*the till\n\n/)
    await terminal.press('Enter')
    await terminal.sees('? Revoke this key? (y/N,')
    await terminal.press('Enter')
    await terminal.sees('Not confirmed; nothing was sent.')
    expect(await statuses()).to.deep.equal(['the till active', 'the website active'])
    await terminal.enter('clear; payctl keys revoke')
    await terminal.sees(/❯ .*the website/)
    await terminal.press('Enter')
    await terminal.sees('? Revoke this key? (y/N,')
    await terminal.enter('y')
    await terminal.sees(/revoked[\s\S]*\n\$$/)
    expect(await statuses()).to.deep.equal(['the till active', 'the website revoked'])
    await terminal.enter('clear; payctl keys rotate --fields secret_key')
    await terminal.sees(/❯ .*the till/)
    await terminal.press('Enter')
    await terminal.sees('? Replace this key? (y/N,')
    await terminal.enter('y')
    await terminal.sees('Keep secret_key now')
    expect(await statuses()).to.deep.equal(['the till active', 'the till revoked', 'the website revoked'])
  })
})
