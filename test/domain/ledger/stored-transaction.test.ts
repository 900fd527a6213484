import { expect } from 'chai'
import { storedTransaction } from '../../../src/domain/ledger/stored-transaction.js'
import { idOf, openCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing, pay } from '../../support/examples.js'

describe('a stored transaction', () => {
  onDatabases((open) => {
    it('has amounts of zero for null columns', async () => {
      const core = await openCore(open)
      const id = idOf(await pay(core, await makeProcessing(core), 29.99))
      const handle = core.environment.core
      const row = await handle.write(({ tx }) =>
        tx.db.selectFrom('transactions').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
      )
      const blank = { conv_fee: null, fee: null, accrued_fee: null, refunded: null, charged_back: null }
      const { processingId, fee, riskFlag, ...moved } = storedTransaction({
        ...row,
        ...blank,
        allocated: null,
      })
      expect({ processingId, riskFlag, isCounted: fee > 0 }).to.deep.equal({
        processingId: row.processing_id,
        riskFlag: 'allowed',
        isCounted: false,
      })
      expect(moved).to.deep.include({
        id,
        type: 'payment',
        status: 'processed',
        fundingStatus: 'pending',
        amount: 2_999,
        convFee: 0,
        accruedFee: 0,
        refunded: 0,
        chargedBack: 0,
        allocated: 0,
        requestedStatus: 'processed',
        isAutomatic: false,
        pendingOperation: null,
      })
      for (const missing of ['type', 'status', 'amount', 'processing_id'])
        expect(() => storedTransaction({ ...row, [missing]: null })).to.throw(`Transaction ${id} is damaged`)
    })
  })
})
