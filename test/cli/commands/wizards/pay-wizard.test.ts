import { expect } from 'chai'
import { timeless } from '../../../support/terminal.js'
import { payctl } from '../payctl.js'
import { atTerminals } from './terminals.js'

const NUMBER = '4242 4242 4242 4242'

atTerminals('payctl transactions pay at a terminal', (open, place) => {
  before(async () => {
    await payctl(place(), ['customers', 'create', '--name', 'Ada Lovelace', '--email', 'ada@example.com'])
    const grace = await payctl(place(), ['customers', 'create', '--name', 'Grace Hopper', '--json'])
    const { id } = JSON.parse(grace.stdout)
    for (const [number, expiry] of [
      ['5555555555554444', '11/38'],
      ['4242424242424242', '12/39'],
    ] as const) {
      const card = ['--type', 'card', '--card.card-number', number, '--card.expiry', expiry]
      await payctl(place(), ['payment-methods', 'create', '--account-id', id, ...card])
    }
  })

  it('prompts for amount and card, shows a summary, and takes the payment on a typed yes', async () => {
    const terminal = await open()
    await terminal.enter('payctl transactions pay --fields status,amount')
    await terminal.sees('? amount:')
    await terminal.enter('29.999')
    await terminal.sees('> Expected an amount with at most 2 decimals, but received: 29.999')
    await terminal.press('BSpace', 'Enter')
    await terminal.sees('❯ a card')
    await terminal.press('Enter')
    await terminal.sees('? card number:')
    await terminal.type(NUMBER.slice(0, 9))
    await terminal.sees('? card number: Visa *********')
    await terminal.type(`${NUMBER.slice(9, -1)}1`)
    await terminal.sees(`? card number: Visa, not a card number ${'*'.repeat(19)}`)
    await terminal.press('BSpace')
    await terminal.type('2')
    await terminal.sees(`? card number: Visa, valid ${'*'.repeat(19)}`)
    await terminal.press('Enter')
    await terminal.sees('? expiry, MM/YY:')
    await terminal.enter('12/19')
    await terminal.sees('> Expired')
    await terminal.press('BSpace', 'BSpace')
    await terminal.type('39')
    await terminal.sees('? expiry, MM/YY: valid 12/39')
    await terminal.press('Enter')
    await terminal.sees('? CVV')
    await terminal.enter('123')
    await terminal.sees('? name on the card')
    await terminal.press('Enter')
    await terminal.sees('? postal code')
    await terminal.enter('11238')
    await terminal.sees('? what for')
    await terminal.enter('Coffee beans')
    await terminal.sees('? Take this payment? (y/N,')
    await terminal.enter('y')
    const screen = await terminal.sees(/\n\$$/)
    expect(timeless(screen)).to.equal(
      [
        '$ payctl transactions pay --fields status,amount',
        '✔ amount: 29.99',
        '✔ pay with a card',
        '✔ card number: Visa ending in 4242',
        '✔ expiry, MM/YY: 12/39',
        '✔ CVV (Enter for none): ***',
        '✔ name on the card (Enter for none):',
        '✔ postal code (Enter for none): 11238',
        '✔ what for (Enter for none): Coffee beans',
        '',
        '  amount       $29.99',
        '  by           Visa ending in 4242, expires 12/39',
        '  CVV          ***',
        '  postal code  11238',
        '  what for     Coffee beans',
        '',
        '✔ Take this payment? Yes',
        'status  processed',
        'amount  $29.99',
        '$',
      ].join('\n'),
    )
  })

  it('finds a customer by typing and a saved method with the arrow keys', async () => {
    const terminal = await open({ columns: 140 })
    await terminal.enter('payctl transactions pay --amount 1,250 --fields status,amount --yes')
    await terminal.sees('❯ a card')
    await terminal.press('Up')
    await terminal.sees('❯ what a customer has saved')
    await terminal.press('Enter')
    await terminal.sees('Ada Lovelace')
    await terminal.type('hopp')
    await terminal.sees(/❯ Grace Hopper(?![\s\S]*Ada Lovelace)/)
    await terminal.press('Enter')
    await terminal.sees('❯ Visa ending in 4242')
    await terminal.press('Down')
    await terminal.sees('❯ Mastercard ending in 4444')
    await terminal.press('Enter')
    await terminal.sees('? what for')
    await terminal.press('Enter')
    const screen = await terminal.sees(/\n\$$/)
    expect(timeless(screen)).to.equal(
      [
        '$ payctl transactions pay --amount 1,250 --fields status,amount --yes',
        '✔ pay with what a customer has saved',
        '✔ customer (type to search): Grace Hopper',
        '✔ payment method Mastercard ending in 4444',
        '✔ what for (Enter for none):',
        '',
        '  amount  $1,250.00',
        '  by      Mastercard ending in 4444',
        '  from    Grace Hopper (acct_…)',
        '  to      Default test account (acct_…)',
        '',
        'status  processed',
        'amount  $1,250.00',
        '$',
      ].join('\n'),
    )
  })

  it('sends no request after Ctrl-C, and prints a command with the answers so far', async () => {
    const terminal = await open({ columns: 140 })
    await terminal.enter('payctl transactions pay --description "Ada\'s beans"')
    await terminal.sees('? amount:')
    await terminal.enter('12.5')
    await terminal.sees('❯ a card')
    await terminal.press('Enter')
    await terminal.sees('? card number:')
    await terminal.type(NUMBER)
    await terminal.sees('Visa, valid')
    await terminal.press('C-c')
    await terminal.sees(/\n\$$/)
    await terminal.enter('echo "exit $?"')
    const screen = await terminal.sees(/\nexit \d+\n\$$/)
    expect(timeless(screen).split('\n').slice(-6)).to.deep.equal([
      'Interrupted; nothing was sent.',
      "Continue with: payctl transactions pay --interactive --amount 12.5 --processing acct_… --description 'Ada'\\''s beans'",
      'Or go on with all but secrets, kept for a week: payctl transactions pay --resume',
      '$ echo "exit $?"',
      'exit 130',
      '$',
    ])
    const list = await payctl(place(), ['transactions', 'list', '--where', "description=?*Ada's*", '--json'])
    expect(JSON.parse(list.stdout).values).to.deep.equal([])
  })

  it('does not accept an empty confirmation, and never prompts with --no-input or in CI', async () => {
    const terminal = await open({ columns: 140 })
    const card = '--amount 5 --card 4242424242424242 --expiry 12/39'
    await terminal.enter(`payctl transactions pay ${card} --interactive --authorize --description no`)
    await terminal.sees('? Authorize this payment? (y/N,')
    await terminal.press('Enter')
    await terminal.sees('Not confirmed; nothing was sent.')
    await terminal.sees('Continue with: payctl transactions pay --authorize --interactive --amount 5')
    await terminal.enter('clear; payctl transactions pay --no-input --amount 5; CI=1 payctl transactions pay')
    const screen = await terminal.sees(/(error[\s\S]*){2}\$$/)
    expect(screen.match(/error: .*/g)).to.deep.equal([
      'error: Missing --gateway-token, --card - (or PAYCTL_CARD_NUMBER), --bank-account -, --payment-method or --customer',
      'error: Missing --amount, and one of --gateway-token, --card - (or PAYCTL_CARD_NUMBER), --bank-account -, --payment-method or --customer',
    ])
  })

  it('confirms once in live, at the question about the money', async () => {
    const terminal = await open({ columns: 160 })
    await terminal.enter('payctl transactions pay --env live --amount 5')
    expect(await terminal.sees('❯ a card'), 'the banner comes first').to.match(/LIVE home .*\n\? pay with/)
    await terminal.press('Down', 'Enter')
    await terminal.sees('? routing number of the bank:')
    await terminal.enter('021000022')
    await terminal.sees('> Must be valid routing number')
    await terminal.press('BSpace')
    await terminal.type('1')
    await terminal.press('Enter')
    await terminal.sees('? account number:')
    await terminal.enter('9876543210')
    await terminal.sees('❯ checking')
    await terminal.press('Enter')
    await terminal.sees('? name of the holder')
    await terminal.press('Enter')
    await terminal.sees('? what for')
    await terminal.press('Enter')
    await terminal.sees('? LIVE: pay 5.00 USD, xxxxxx3210. Go on? (y/N)')
    await terminal.press('Enter')
    const screen = await terminal.sees(/\n\$$/)
    expect(screen.split('\n').slice(-8)).to.deep.equal([
      '  amount  $5.00',
      '  by      Checking account ending in 3210',
      '',
      '✔ LIVE: pay 5.00 USD, xxxxxx3210. Go on? No',
      'Not confirmed; nothing was sent.',
      'Continue with: payctl transactions pay --env live --interactive --amount 5 --routing 021000021 --account-type checking',
      'Or go on with all but secrets, kept for a week: payctl transactions pay --env live --resume',
      '$',
    ])
  })

  it('shows a decline, and the command to continue with', async () => {
    const terminal = await open({ columns: 160 })
    await terminal.enter('payctl transactions pay --card 4111111111119900 --expiry 12/39')
    await terminal.sees('? amount:')
    await terminal.enter('8')
    await terminal.sees('? what for')
    await terminal.press('Enter')
    await terminal.sees('? Take this payment? (y/N,')
    await terminal.enter('y')
    const screen = await terminal.sees(/\n\$$/)
    expect(timeless(screen).split('\n').slice(-4)).to.deep.equal([
      'error: Declined: The card has expired (card_expired). It is stored as txn_…',
      'Continue with: payctl transactions pay --interactive --amount 8 --processing acct_… --expiry 12/39',
      'Or go on with all but secrets, kept for a week: payctl transactions pay --resume',
      '$',
    ])
  })
})
