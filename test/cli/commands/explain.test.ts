import { expect } from 'chai'
import { idOf, openCore } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { makeProcessing, pay } from '../../support/examples.js'
import { hasTerminal, Terminal } from '../../support/terminal.js'

onSqlite((open) => {
  if (!hasTerminal()) return
  describe('payctl transactions explain, on a terminal of 80 columns', () => {
    let terminal: Terminal | undefined
    after(() => terminal?.close())

    it('shows accounts and ids in full', async () => {
      const core = await openCore(open)
      const payment = await pay(core, await makeProcessing(core), 30)
      const id = idOf(payment)
      const ledger = [{ assoc_transaction_id: id }]
      const refund = idOf(await core.ok('POST', '/transactions', { type: 'refund', amount: 10, ledger }))
      terminal = await Terminal.open(core.place, { columns: 80 })
      await terminal.enter(`payctl transactions explain ${id} --no-pager`)
      const screen = await terminal.sees(/AMOUNT[\s\S]*\n\$$/)
      expect(screen).to.include('  processor_clearing → merchant_payable\n')
      expect(screen).to.include(`  -$10.00  refund ${refund}\n`)
      expect(screen).not.to.include('…')
    })
  })
})
