import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { payctl } from '../payctl.js'
import { atTerminals } from './terminals.js'

atTerminals('an interrupted wizard', (open, place) => {
  const fileOf = (name: string) => join(place().home, 'drafts', `test-${name}.json`)
  const names = () => readdirSync(join(place().home, 'drafts'))

  before(async () => {
    const { exitCode } = await payctl(place(), ['customers', 'create', '--name', 'Ada Lovelace'])
    expect(exitCode).to.equal(0)
  })

  it('saves its input in a draft of its owner, which --resume continues', async () => {
    const terminal = await open({ columns: 140, rows: 50 })
    await terminal.enter('payctl invoices create')
    await terminal.sees('❯ Ada Lovelace')
    await terminal.play('[Enter]')
    await terminal.sees('? what for')
    await terminal.enter('November')
    await terminal.sees('? due date')
    await terminal.enter('2039-02-28')
    await terminal.sees('? line item 1, description:')
    await terminal.enter('Beans')
    await terminal.sees('? price of one:')
    await terminal.enter('12.5')
    await terminal.sees('? how many:')
    await terminal.enter('2')
    await terminal.sees('❯ add another line item')
    await terminal.press('Enter')
    await terminal.sees('? line item 2, description:')
    await terminal.enter('Sugar')
    await terminal.sees('? price of one:')
    await terminal.press('C-c')
    await terminal.sees('Or go on with all but secrets, kept for a week: payctl invoices create --resume')
    expect(statSync(fileOf('invoices-create')).mode & 0o777).to.equal(0o600)

    await terminal.enter('clear; payctl invoices create')
    await terminal.sees(/^There is a draft of .*: --resume takes it up/m)
    await terminal.sees('❯ Ada Lovelace')
    await terminal.press('C-c')
    await terminal.sees(/Continue with.*\n\$$/)

    await terminal.enter('clear; payctl invoices create --resume --fields description,total_due')
    await terminal.sees('? price of one:')
    await terminal.enter('1')
    await terminal.sees('? how many:')
    await terminal.enter('3')
    await terminal.sees(/total +28\.00[\s\S]*❯ add another line item/)
    await terminal.press('Down', 'Enter')
    await terminal.sees('? Create this invoice?')
    await terminal.press('Enter')
    await terminal.sees(/description {2}November\ntotal_due {4}\$28\.00\n\$$/)
    expect(names(), 'a draft ends with its wizard').to.deep.equal([])
  })

  it('saves no card number, CVV or text with a card number, and prompts for them again', async () => {
    const terminal = await open({ columns: 140, rows: 50 })
    await terminal.enter('payctl transactions pay --authorize --description "card 4242 4242 4242 4242"')
    await terminal.sees('? amount:')
    await terminal.enter('12.5')
    await terminal.sees('❯ a card')
    await terminal.press('Enter')
    await terminal.sees('? card number:')
    await terminal.enter('4242424242424242')
    await terminal.sees('? expiry')
    await terminal.enter('12/39')
    await terminal.sees('? CVV')
    await terminal.enter('987')
    await terminal.sees('? name on the card')
    await terminal.enter('Ada')
    await terminal.sees('? postal code')
    await terminal.press('C-c')
    await terminal.sees('kept for a week: payctl transactions pay --authorize --resume')
    const { body } = JSON.parse(readFileSync(fileOf('transactions-pay'), 'utf8'))
    expect(body.processing_id).to.match(/^acct_/)
    delete body.processing_id
    expect(body).to.deep.equal({
      type: 'payment',
      status: 'authorized',
      amount: 12.5,
      payment_method: { type: 'card', card: { expiry: '12/39' }, account_holder: 'Ada' },
    })

    await terminal.enter('clear; payctl transactions pay --resume --fields status,amount')
    await terminal.sees('? card number:')
    await terminal.enter('4242424242424242')
    await terminal.sees('? CVV')
    await terminal.press('Enter')
    await terminal.sees('? postal code')
    await terminal.press('Enter')
    await terminal.sees('? what for')
    await terminal.press('Enter')
    await terminal.sees('? Authorize this payment? (y/N,')
    await terminal.enter('y')
    await terminal.sees(/status {2}authorized\namount {2}\$12\.50\n\$$/)
    expect(names()).to.deep.equal([])
  })

  it('deletes the draft of a sent request, but keeps the draft of a refused or unconfirmed request', async () => {
    const terminal = await open({ columns: 140, rows: 50 })
    await terminal.enter('payctl transactions pay --card 4111111111119900 --expiry 12/39 --description x')
    await terminal.sees('? amount:')
    await terminal.enter('8')
    await terminal.sees('? Take this payment? (y/N,')
    await terminal.press('Enter')
    await terminal.sees('Not confirmed; nothing was sent.')
    await terminal.sees('payctl transactions pay --resume')
    expect(names()).to.deep.equal(['test-transactions-pay.json'])
    await terminal.enter('clear; payctl transactions pay --resume --card 4111111111119900')
    await terminal.sees('? CVV')
    await terminal.press('Enter')
    await terminal.sees('? name on the card')
    await terminal.press('Enter')
    await terminal.sees('? postal code')
    await terminal.press('Enter')
    await terminal.sees('? Take this payment? (y/N,')
    await terminal.enter('y')
    await terminal.sees(/Declined[\s\S]*payctl transactions pay --resume/)
    expect(names()).to.deep.equal(['test-transactions-pay.json'])
  })

  it('deletes a draft after a week, and refuses a draft of another server or readable by others', async () => {
    const terminal = await open({ columns: 140, rows: 50 })
    const draft = (target: string) => writeFileSync(fileOf('customers-create'), target, { mode: 0o600 })
    draft('{"target":"server https://pay.example.com/","body":{"name":"Grace"}}\n')
    await terminal.enter('payctl customers create --resume')
    await terminal.sees('error: The draft was begun on server https://pay.example.com/, but this is home')
    await terminal.enter(`clear; chmod 644 ${fileOf('customers-create')}; payctl customers create --resume`)
    await terminal.sees('is open to other users; run: chmod 600')
    const week = new Date(Date.now() - 7 * 24 * 3_600_000)
    utimesSync(fileOf('customers-create'), week, week)
    await terminal.enter('clear; payctl customers create --resume')
    await terminal.sees('error: There is no draft of payctl customers create in test; it is kept for a week')
    expect(names()).not.to.include('test-customers-create.json')
  })

  it('needs a terminal', async () => {
    for (const words of [
      ['customers', 'create'],
      ['transactions', 'pay'],
      ['transactions', 'refund'],
    ])
      for (const flag of ['--resume', '--interactive']) {
        const { exitCode, stderr } = await payctl(place(), [...words, flag])
        expect({ exitCode, stderr }, words.join(' ')).to.deep.equal({
          exitCode: 2,
          stderr: `error: ${flag} needs a terminal\n`,
        })
      }
  })

  it('saves the answers of a generated form, too', async () => {
    const terminal = await open({ columns: 140 })
    await terminal.enter('payctl line-items create')
    await terminal.sees('❯ November')
    await terminal.press('Enter')
    await terminal.sees('❯ charge')
    await terminal.press('Enter')
    await terminal.sees('? price of one:')
    await terminal.press('C-c')
    await terminal.sees(
      /Continue with: payctl line-items create --interactive --invoice-id inv_\w+ --entry-type charge\n/,
    )
    await terminal.enter('clear; payctl line-items create --resume')
    await terminal.sees(/^\? price of one:/m)
  })
})
