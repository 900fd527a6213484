import { expect } from 'chai'
import { timeless } from '../../../support/terminal.js'
import { payctl } from '../payctl.js'
import { atTerminals } from './terminals.js'

atTerminals('payctl transactions refund at a terminal', (open, place) => {
  const id = async (...words: string[]): Promise<string> => {
    const { stdout } = await payctl(place(), [...words, '--json'])
    return JSON.parse(stdout).id
  }
  const pay = async (amount: string, ...more: string[]) =>
    await id(
      'transactions',
      'pay',
      '--amount',
      amount,
      '--card',
      '4242424242424242',
      '--expiry',
      '12/39',
      ...more,
    )

  before(async () => {
    const ada = await id('customers', 'create', '--name', 'Ada Lovelace')
    await pay('30', '--customer', ada, '--description', 'Three bags of the very best coffee beans')
    const partly = await pay('29.99', '--description', 'tea')
    await id('transactions', 'refund', partly, '--amount', '10')
    await id('transactions', 'refund', await pay('7'))
    await pay('1250')
  })

  it('lists payments with a refundable rest, newest first, cut to the width', async () => {
    const terminal = await open()
    await terminal.enter('payctl transactions refund')
    const screen = await terminal.sees(/^\? [\s\S]*tea[\s\S]*navigate/m)
    expect(timeless(screen)).to.equal(
      [
        '$ payctl transactions refund',
        '? payment (type to search):',
        '❯ YYYY-MM-DD  $1,250.00               Visa ending in 4242',
        '  YYYY-MM-DD     $29.99  $19.99 left  Visa ending in 4242  tea',
        '  YYYY-MM-DD     $30.00               Visa ending in 4242  Ada Lovelace, Three…',
        '',
        '↑↓ navigate • ⏎ select',
      ].join('\n'),
    )
    await terminal.press('C-c')
    await terminal.sees('Continue with: payctl transactions refund --interactive')
  })

  it('refunds a part of the chosen payment, and at most its rest', async () => {
    const terminal = await open({ columns: 140 })
    await terminal.enter('payctl transactions refund --fields type,amount')
    await terminal.sees('$1,250.00')
    await terminal.type('29.9')
    await terminal.sees('No results found')
    await terminal.type('9')
    await terminal.sees(/❯ .* \$19\.99 left(?![\s\S]*\$30\.00)/)
    await terminal.press('Enter')
    await terminal.sees('? amount (19.99 left): (19.99)')
    await terminal.enter('20')
    await terminal.sees('> Only 19.99 is left')
    await terminal.press('BSpace', 'BSpace')
    await terminal.enter('4.99')
    await terminal.sees('? why')
    await terminal.enter('cold')
    await terminal.sees('? Refund this? (y/N,')
    await terminal.enter('y')
    const screen = await terminal.sees(/\n\$$/)
    expect(timeless(screen)).to.equal(
      [
        '$ payctl transactions refund --fields type,amount',
        '✔ payment (type to search): $29.99 by Visa ending in 4242',
        '✔ amount (19.99 left): 4.99',
        '✔ why (Enter for none): cold',
        '',
        '  refund     $4.99',
        '  of         $29.99 paid on YYYY-MM-DD',
        '  payment    txn_…',
        '  to         Visa ending in 4242',
        '  left then  $15.00',
        '  why        cold',
        '',
        '✔ Refund this? Yes',
        'type    refund',
        'amount  $4.99',
        '$',
      ].join('\n'),
    )
  })

  it('continues after Ctrl-C with the command that it printed', async () => {
    const terminal = await open({ columns: 140 })
    await terminal.enter('payctl transactions refund')
    await terminal.sees('$1,250.00')
    await terminal.press('Down', 'Down')
    await terminal.sees(/❯ .*Three bags of the very best coffee beans/)
    await terminal.press('Enter')
    await terminal.sees('? amount (30.00 left)')
    await terminal.enter('12')
    await terminal.sees('? why')
    await terminal.press('C-c')
    const ended = await terminal.sees(/\n\$$/)
    const words = /Continue with: (?<words>.*)/.exec(ended)?.groups?.['words'] ?? ''
    expect(timeless(words)).to.equal('payctl transactions refund txn_… --interactive --amount 12')
    await terminal.enter(`clear; ${words} --fields type,amount`)
    await terminal.sees(/There is a draft[\s\S]*\? why/)
    await terminal.press('Enter')
    await terminal.sees('? Refund this? (y/N,')
    await terminal.enter('y')
    await terminal.sees(/type {4}refund\namount {2}\$12\.00\n\$$/)
  })

  it('names missing values if it cannot prompt', async () => {
    const piped = await payctl(place(), ['transactions', 'refund'])
    expect(piped).to.deep.equal({
      exitCode: 2,
      stdout: '',
      stderr:
        'error: Which payment? payctl transactions refund txn_…; payctl transactions list --where status=processed shows them, payctl transactions find 31.50 4242 finds one\n',
    })
    const asked = await payctl(place(), ['transactions', 'refund', '--interactive', '--json'])
    expect(asked.exitCode).to.equal(2)
    expect(JSON.parse(asked.stderr).error_description).to.equal('--interactive needs a terminal')
  })
})
