import { expect } from 'chai'
import { timeless } from '../../../support/terminal.js'
import { payctl } from '../payctl.js'
import { atTerminals } from './terminals.js'

atTerminals('payctl with an empty home, at a terminal,', (open, place) => {
  it('completes a merchant, shows every answer, and lets the operator correct an answer', async () => {
    const terminal = await open({ columns: 130, rows: 100 })
    await terminal.enter(
      'payctl processing-accounts create --name "Bike Shop" --processing.industry bicycles',
    )
    await terminal.sees('Complete it: payctl processing-accounts complete acct_')
    await terminal.enter('clear; payctl transactions pay')
    await terminal.sees('is incomplete and cannot take')
    await terminal.enter('clear; payctl processing-accounts complete --fields status')
    for (const [question, typed] of [
      ['❯ Bike Shop', ''],
      ['? legal name of the company:', 'Bike Shop LLC'],
      ['❯ limited liability company', ''],
      ['? tax id (EIN), 9 digits:', '123456789'],
      ['? state of incorporation, as NY:', 'NY'],
      ['? street and number:', '1 Main Street'],
      ['? city:', 'New York'],
      ['? state, as NY:', 'NY'],
      ['? postal code:', '10001'],
      ['? phone number:', '212 555 0100'],
      ['? full name:', 'Grace Parc'],
      ['? position, as Owner:', 'Owner'],
      ['? share of the company, in percent:', '100'],
      ['? date of birth, YYYY-MM-DD:', '1980-01-31'],
      ['? social security number (SSN), 9 digits:', '123456780'],
      ['? street and number:', '1 Main Street'],
      ['? city:', 'New York'],
      ['? state, as NY:', 'NY'],
      ['? postal code:', '10001'],
      ['? phone number:', '212 555 0101'],
      ['? email:', 'grace@example.com'],
      ['? routing number of the bank:', '021000021'],
      ['? account number:', '9876543210'],
      ['❯ checking', ''],
    ] as const) {
      await terminal.sees(question)
      await terminal.enter(typed)
    }
    await terminal.sees(
      /owner, full name +Grace Parc\n[\s\S]*\? Complete Bike Shop with this\? \(Y\/n, c to change/,
    )
    await terminal.enter('c')
    await terminal.sees('❯ legal entity, legal name of the company: Bike Shop LLC')
    for (let row = 0; row < 9; row++) await terminal.press('Down')
    await terminal.sees('❯ owner, full name: Grace Parc')
    await terminal.press('Enter')
    await terminal.sees(/The owner of the legal entity:\n\? full name:/)
    await terminal.enter('Grace Park')
    await terminal.sees(/owner, full name +Grace Park\n/)
    await terminal.enter('')
    await terminal.sees(/status {2}pending\n\$$/)
    const list = await payctl(place(), ['legal-entity-owners', 'list', '--json'])
    expect(JSON.parse(list.stdout).values).to.have.length(1)
  })

  it('prompts for a card number, and reads a secret given as - without showing it', async () => {
    const terminal = await open({ columns: 120, rows: 50 })
    await terminal.enter('payctl payment-methods create --type card --fields description')
    await terminal.sees('? card number:')
    await terminal.enter('4242424242424242')
    await terminal.sees('? expiry, MM/YY:')
    await terminal.enter('12/39')
    await terminal.sees(/card number +•••• 4242\n/)
    await terminal.sees('? Create this payment method?')
    await terminal.enter('y')
    await terminal.sees(/description {2}Visa ending in 4242\n/)
    await terminal.enter(
      'clear; payctl payment-methods create --type card --card.card-number - --card.expiry 12/39 --fields description --no-input',
    )
    await terminal.enter('4111111111111111')
    const screen = await terminal.sees(/description {2}Visa ending in 1111\n/)
    expect(screen.split('\n').slice(1).join('\n')).not.to.include('4111111111111111')
  })

  it('prompts for what a payment link and an owner need, and for the invoice to pay', async () => {
    const terminal = await open({ columns: 120, rows: 60 })
    await terminal.enter('payctl payment-links create --fields amount,status')
    await terminal.sees('? amount:')
    await terminal.enter('29.99')
    await terminal.sees('? Create this payment link?')
    await terminal.enter('')
    await terminal.sees(/amount {2}\$29\.99\nstatus {2}active\n/)
    await terminal.enter('clear; payctl legal-entity-owners create')
    await terminal.sees('❯ Bike Shop LLC')
    await terminal.press('C-c')
    await terminal.sees(/\n\$$/)
    const customer = await payctl(place(), ['customers', 'create', '--name', 'Ada', '--jq', '.id'])
    const data = {
      customer_id: customer.stdout.trim(),
      items: [{ entry_type: 'charge', amount: 12, description: 'Tea' }],
    }
    const made = await payctl(place(), ['invoices', 'create', '--data', '-'], { input: JSON.stringify(data) })
    expect(made.exitCode, made.stderr).to.equal(0)
    await terminal.enter(
      'clear; payctl invoices pay --card 4242424242424242 --expiry 12/39 --fields status,amount',
    )
    await terminal.sees(/❯ +\$12\.00 +pending/)
    await terminal.press('Enter')
    await terminal.sees('? amount (12.00 due): (12.00)')
    await terminal.enter('')
    await terminal.sees('? Take this payment? (y/N')
    await terminal.enter('y')
    const screen = await terminal.sees(/status {2}processed\n/)
    expect(timeless(screen)).to.include('amount  $12.00')
  })
})
