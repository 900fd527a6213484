import { expect } from 'chai'
import { type Terminal, timeless } from '../../../support/terminal.js'
import { payctl } from '../payctl.js'
import { atTerminals } from './terminals.js'

/** Answers one question after the other: the expected screen, then the text or keys. */
async function answer(
  terminal: Terminal,
  answers: readonly (readonly [string | RegExp, string])[],
): Promise<void> {
  for (const [question, text] of answers) {
    await terminal.sees(question)
    if (text === '↓') await terminal.press('Down', 'Enter')
    else await terminal.enter(text)
  }
}

atTerminals('wizards that create', (open, place) => {
  const create = async (...words: string[]): Promise<void> => {
    const { exitCode, stderr } = await payctl(place(), words)
    expect(exitCode, stderr).to.equal(0)
  }

  before(async () => {
    await create(
      'processing-accounts',
      'create',
      '--name',
      'Corner Shop',
      '--processing.industry',
      'groceries',
    )
    await create('customers', 'create', '--name', 'Ada Lovelace', '--email', 'ada@example.com')
  })

  it('make an invoice of line items, one after the other, with a running total', async () => {
    const terminal = await open({ rows: 50 })
    await terminal.enter('payctl invoices create --fields status,due_date,total_due')
    await answer(terminal, [
      ['❯ Ada Lovelace', ''],
      ['? what for', 'November'],
      ['? due date', '2039-02-30'],
    ])
    await terminal.sees('> Must be valid date, YYYY-MM-DD')
    await terminal.press('BSpace', 'BSpace')
    await answer(terminal, [
      ['? due date', '28'],
      ['? line item 1, description:', 'Beans'],
      ['? price of one:', '12.5'],
      ['? how many:', '2'],
      ['❯ add another line item', ''],
      ['? line item 2, description:', 'Mistake'],
      ['? price of one:', '1'],
      ['? how many:', ''],
    ])
    await terminal.sees('remove Mistake')
    await terminal.press('Up')
    await terminal.sees('❯ remove Mistake')
    await answer(terminal, [
      ['❯ remove', ''],
      [/remove Beans/, '↓'],
      ['? Create this invoice? (Y/n,', ''],
    ])
    const screen = await terminal.sees(/\n\$$/)
    expect(timeless(screen)).to.equal(
      [
        '$ payctl invoices create --fields status,due_date,total_due',
        '✔ customer (type to search): Ada Lovelace',
        '✔ what for (Enter for none): November',
        '✔ due date, YYYY-MM-DD (Enter for none): YYYY-MM-DD',
        '✔ line item 1, description: Beans',
        '✔ price of one: 12.5',
        '✔ how many: 2',
        '  Beans  2 x  12.50  25.00',
        '  total              25.00',
        '✔ and now add another line item',
        '✔ line item 2, description: Mistake',
        '✔ price of one: 1',
        '✔ how many: 1',
        '  Beans    2 x  12.50  25.00',
        '  Mistake  1 x   1.00   1.00',
        '  total                26.00',
        '✔ and now remove Mistake',
        '  Beans  2 x  12.50  25.00',
        '  total              25.00',
        '✔ and now that is all',
        '',
        '  from      Ada Lovelace (acct_…)',
        '  to        Corner Shop (acct_…)',
        '  what for  November',
        '  due date  YYYY-MM-DD',
        '',
        '  Beans  2 x  12.50  25.00',
        '  total              25.00',
        '',
        '✔ Create this invoice? Yes',
        'status     pending',
        'due_date   YYYY-MM-DD',
        'total_due  $25.00',
        '$',
      ].join('\n'),
    )
  })

  it('print on Ctrl-C the command to continue with, and the secrets it will ask for again', async () => {
    const terminal = await open({ columns: 220 })
    await terminal.enter('payctl invoices create --description "For Ada"')
    await answer(terminal, [
      ['❯ Ada Lovelace', ''],
      ['? due date', '2039-02-28'],
      ['? line item 1, description:', 'Beans'],
      ['? price of one:', '12.5'],
      ['? how many:', ''],
    ])
    await terminal.sees('that is all')
    await terminal.press('C-c')
    const screen = await terminal.sees(/\n\$$/)
    expect(timeless(screen).split('\n').slice(-4)).to.deep.equal([
      'Interrupted; nothing was sent.',
      "Continue with: payctl invoices create --interactive --customer-id acct_… --processing-id acct_… --description 'For Ada' " +
        '--due-date YYYY-MM-DD   (items must be entered again)',
      'Or go on with all but secrets, kept for a week: payctl invoices create --resume',
      '$',
    ])
    const list = await payctl(place(), ['invoices', 'list', '--where', 'description=For Ada', '--json'])
    expect(JSON.parse(list.stdout).values).to.deep.equal([])
  })

  it('make a billing schedule with the days of its frequency', async () => {
    const terminal = await open({ columns: 140, rows: 40 })
    await terminal.enter('payctl billing-schedules create --fields recurring_frequency,monthly')
    await answer(terminal, [
      ['❯ Ada Lovelace', ''],
      ['? what for', 'Rent'],
    ])
    await terminal.sees('❯ every day')
    await terminal.press('Up', 'Up', 'Up')
    await terminal.sees('❯ every month')
    await answer(terminal, [
      ['❯ every month', ''],
      ['? billing day', '32'],
    ])
    await terminal.sees('> Must be at most 31')
    await terminal.press('BSpace', 'BSpace')
    await answer(terminal, [
      ['? billing day', '15'],
      ['? first day', '2039-01-01'],
      ['? last day', ''],
      ['? charge 1, description:', 'Flat'],
      ['? price of one:', '900'],
      ['? how many:', ''],
      ['❯ add another charge', '↓'],
      ['? Create this billing schedule? (Y/n,', ''],
    ])
    const screen = await terminal.sees(/\n\$$/)
    expect(timeless(screen).split('\n').slice(12)).to.deep.equal([
      '✔ and now that is all',
      '',
      '  from       Ada Lovelace (acct_…)',
      '  to         Corner Shop (acct_…)',
      '  what for   Rent',
      '  how often  every month, billing day 15',
      '  first day  YYYY-MM-DD',
      '',
      '  Flat   1 x  900.00  900.00',
      '  total               900.00',
      '',
      '✔ Create this billing schedule? Yes',
      'recurring_frequency  monthly',
      'monthly',
      '  billing_day  15',
      '$',
    ])
  })

  it('prompt for the requirements of a processing account in order, and hide secrets', async () => {
    const address = [
      ['? street and number:', '1 Main Street'],
      ['? city:', 'New York'],
      ['? state, as NY:', 'NY'],
      ['? postal code:', '10001'],
    ] as const
    const terminal = await open({ columns: 140, rows: 90 })
    await terminal.enter('payctl accounts create --fields type,name,processing.status')
    await answer(terminal, [
      ['❯ a customer, who pays', '↓'],
      ['? name:', 'Bike Shop'],
      ['? email', 'shop@example'],
    ])
    await terminal.sees('> Must be valid email')
    await terminal.type('.com')
    await answer(terminal, [
      ['shop@example.com', ''],
      ['? phone number', ''],
      ['? what it sells (industry):', 'bicycles'],
      ['❯ later', '↓'],
      ['? legal name of the company:', 'Bike Shop LLC'],
      ['❯ limited liability company', ''],
      ['? tax id (EIN), 9 digits:', '123456789'],
      ['? state of incorporation, as NY:', 'NY'],
      ...address,
      ['? phone number:', '212 555 0100'],
      ['? full name:', 'Grace Park'],
      ['? position, as Owner:', 'Owner'],
      ['? share of the company, in percent:', '100'],
      ['? date of birth, YYYY-MM-DD:', '1980-01-31'],
      ['? social security number (SSN), 9 digits:', '123456780'],
      ...address,
      ['? phone number:', '212 555 0101'],
      ['? email:', 'grace@example.com'],
      ['? routing number of the bank:', '021000021'],
      ['? account number:', '9876543210'],
      ['? kind of account', ''],
      ['? Create this processing account? (Y/n,', ''],
    ])
    const screen = await terminal.sees(/\n\$$/)
    expect(screen)
      .to.include('✔ tax id (EIN), 9 digits: *********\n')
      .and.include('✔ account number: **********\n')
    expect(screen).to.not.match(/12345678|9876543210/)
    const plan = screen.split('\n').slice(-37, -6)
    expect(plan.map((line) => line.trim().replaceAll(/ {2,}/g, ': '))).to.deep.equal([
      '✔ kind of account checking',
      '',
      'kind: processing account',
      'name: Bike Shop',
      'email: shop@example.com',
      'what it sells (industry): bicycles',
      'legal entity, legal name of the company: Bike Shop LLC',
      'legal entity, its legal form: limited liability company',
      'legal entity, tax id (EIN): •••• 6789',
      'legal entity, state of incorporation: NY',
      'legal entity, street and number: 1 Main Street',
      'legal entity, city: New York',
      'legal entity, state: NY',
      'legal entity, postal code: 10001',
      'legal entity, phone number: 212 555 0100',
      'owner, full name: Grace Park',
      'owner, position: Owner',
      'owner, share of the company: 100',
      'owner, date of birth: 1980-01-31',
      'owner, social security number (SSN): •••• 6780',
      'owner, street and number: 1 Main Street',
      'owner, city: New York',
      'owner, state: NY',
      'owner, postal code: 10001',
      'owner, phone number: 212 555 0101',
      'owner, email: grace@example.com',
      'bank account, routing number of the bank: 021000021',
      'bank account, account number: •••• 3210',
      'bank account, kind of account: checking',
      'bank account, whose account it is: business',
      '',
    ])
    expect(screen.split('\n').slice(-6)).to.deep.equal([
      '✔ Create this processing account? Yes',
      'type  processing',
      'name  Bike Shop',
      'processing',
      '  status  pending',
      '$',
    ])
  })

  it('refuse an invalid email of a customer at once, and create no customer after a "no"', async () => {
    const terminal = await open()
    await terminal.enter('payctl customers create')
    await answer(terminal, [
      ['? name:', 'Nobody'],
      ['? email', ''],
      ['? phone number', ''],
      ['? Create this customer? (Y/n,', 'n'],
    ])
    await terminal.sees(
      'Not confirmed; nothing was sent.\nContinue with: payctl customers create --interactive --name Nobody\n',
    )
  })
})
