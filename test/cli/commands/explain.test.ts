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

    it('shows all times in the zone of the organization, and names it, also for programs', async () => {
      const core = await openCore(open)
      const harbor = { name: 'Harbor', industry: 'books', org_type: 'business' }
      const org = idOf(await core.ok('POST', '/orgs', { ...harbor, timezone: 'America/Los_Angeles' }))
      const processing = await makeProcessing(core)
      await core.ok('PUT', `/processing_accounts/${processing}`, { parent_org_id: org })
      const id = idOf(await pay(core, processing, 30))
      const answer = await core.ok('GET', '/admin/explain', undefined, { query: `transaction_id=${id}` })
      expect(answer.timezone).to.equal('America/Los_Angeles')
      await terminal?.close()
      terminal = await Terminal.open(core.place, { columns: 120, variables: { TZ: 'Asia/Tokyo' } })
      await terminal.enter(`payctl transactions explain ${id} --no-pager`)
      const screen = await terminal.sees(/AMOUNT[\s\S]*\n\$$/)
      expect(screen).to.match(/^timezone +America\/Los_Angeles$/m)
      expect(screen).to.match(/end of its business day, at \S+ 19:00 P[SD]T;/)
      const times = screen.match(/\d\d:\d\d \S+/g) ?? []
      expect(times.length).to.be.greaterThan(3)
      for (const time of times) expect(time).to.match(/ P[SD]T/)
      await terminal.enter(`clear; payctl transactions explain ${id} --no-pager --utc`)
      const inUtc = await terminal.sees(/AMOUNT[\s\S]*\n\$$/)
      for (const time of inUtc.match(/\d\d:\d\d \S+/g) ?? []) expect(time).to.match(/ UTC/)
    })
  })
})
