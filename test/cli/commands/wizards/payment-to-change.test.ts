import { expect } from 'chai'
import { timeless } from '../../../support/terminal.js'
import { payctl } from '../payctl.js'
import { atTerminals } from './terminals.js'

atTerminals('void and capture at a terminal', (open, place) => {
  const CARD = ['--card', '4242424242424242', '--expiry', '12/39']

  it('report that no payment qualifies, and which command lists payments', async () => {
    const terminal = await open()
    await terminal.enter('payctl transactions capture')
    await terminal.sees('There is no authorized payment; payctl transactions list shows')
  })

  it('list the payments that qualify, with date, customer and order, and ask for confirmation', async () => {
    const { stdout } = await payctl(place(), ['customers', 'create', '--name', 'Ada Lovelace', '--json'])
    const words = ['--amount', '12', '--order-number', '77', '--customer', JSON.parse(stdout).id]
    for (const more of [
      ['--authorize', ...words],
      ['--amount', '30'],
    ])
      expect((await payctl(place(), ['transactions', 'pay', ...CARD, ...more])).exitCode).to.equal(0)
    const terminal = await open()
    await terminal.enter('payctl transactions capture --fields status,amount')
    const screen = await terminal.sees(/❯ [\s\S]*navigate/)
    expect(timeless(screen)).to.match(/❯ YYYY-MM-DD +\$12\.00 +Visa ending in 4242 +Ada Lovelace, order 77/)
    expect(screen).not.to.contain('$30.00')
    await terminal.press('Enter')
    await terminal.sees('? Capture this? (y/N,')
    await terminal.enter('y')
    await terminal.sees(/status {2}processed/)
    await terminal.enter('clear; payctl transactions void')
    await terminal.sees(/❯ .*\$30\.00/)
    await terminal.press('Enter')
    await terminal.sees('? Void this? (y/N,')
    await terminal.press('Enter')
    await terminal.sees('Not confirmed; nothing was sent.')
  })
})
