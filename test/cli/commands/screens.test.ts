import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore } from '../../support/core.js'
import { onSqlite, type Place } from '../../support/databases.js'
import { card, makeProcessing } from '../../support/examples.js'
import { hasTerminal, Terminal, timeless } from '../../support/terminal.js'
import { payctl } from './payctl.js'

/** The commands that operators use most often. */
const COMMANDS = [
  'transactions list',
  'transactions get $PAYMENT',
  'transactions list --group-by status --count --sum amount',
  'transactions refund $PAYMENT --amount 100 --dry-run',
  'transactions ledger $PAYMENT',
  'transactions explain $PAYMENT',
  'customers list',
  'payment-methods list',
  'invoices list',
  'invoices get $INVOICE',
]

const FOLDER = fileURLToPath(new URL('./screens/', import.meta.url))

if (hasTerminal())
  onSqlite((open) => {
    describe('a command at a terminal', () => {
      let place: Place
      let payment: JsonObject
      let variables: Readonly<Record<string, string>>
      let terminal: Terminal | undefined

      before(async () => {
        const core = await openCore(open)
        place = core.place
        const processing_id = await makeProcessing(core)
        const made = async (path: string, body: JsonObject) => await core.ok('POST', path, body)
        const ada = idOf(await made('/customers', { name: 'Ada Lovelace', email: 'ada@example.com' }))
        const order = { order_number: '1001', description: 'Three bags of the very best coffee beans' }
        const paid = { type: 'payment', processing_id, customer_id: ada, payment_method: card() }
        payment = await made('/transactions', { ...paid, ...order, amount: 1234.5 })
        await made('/transactions', { ...paid, amount: 8 })
        const ledger = [{ assoc_transaction_id: idOf(payment) }]
        await made('/transactions', { type: 'refund', amount: 34.5, ledger })
        const items = [{ entry_type: 'charge', description: 'Roasting', amount: 1500, qty: 2 }]
        const invoice = { processing_id, customer_id: ada, description: 'Roasting in January', items }
        const invoiced = await made('/invoices', { ...invoice, due_date: '2040-01-31' })
        variables = {
          PAYMENT: idOf(payment),
          INVOICE: idOf(invoiced),
          TZ: 'America/New_York',
          PAYCTL_NO_PAGER: '1',
        }
      })
      afterEach(() => terminal?.close())

      for (const columns of [40, 80, 120]) {
        it(`fits ${columns} columns (PAYCTL_UPDATE_SCREENS=1 rewrites the expected screens)`, async () => {
          terminal = await Terminal.open(place, { columns, rows: 120, variables })
          const screens: string[] = []
          for (const [index, command] of COMMANDS.entries()) {
            await terminal.enter(`clear; payctl ${command}; echo "end"-${index}`)
            await terminal.sees(`\nend-${index}\n$`)
            const lines = timeless(await terminal.screen(false, true))
              .split('\n')
              .slice(0, -2)
            screens.push(`$ payctl ${command}\n${lines.join('\n')}\n`)
          }
          const text = screens.join('\n')
          const path = `${FOLDER}${columns}.txt`
          if (process.env['PAYCTL_UPDATE_SCREENS'] === '1') {
            mkdirSync(FOLDER, { recursive: true })
            writeFileSync(path, text)
          }
          expect(text).to.equal(readFileSync(path, 'utf8'))
        })
      }

      it('accepts a ref_number as the id of a transaction, but no shortened id', async () => {
        const reference = String(payment.ref_number)
        const run = async (...words: string[]) => await payctl(place, words)
        for (const words of [
          ['transactions', 'get', reference],
          ['transactions', 'refund', reference, '--amount', '1', '--dry-run'],
          ['transactions', 'ledger', reference],
          ['transactions', 'explain', reference],
          ['transactions', 'update', reference, '--order-number', '1002'],
        ])
          expect((await run(...words)).exitCode, words.join(' ')).to.equal(0)
        expect(await run('transactions', 'void', 'XXXX-XXXX-XXXX-XXXX')).to.include({ exitCode: 5 })
      })
    })
  })
