import { expect } from 'chai'
import { BillingReport } from '../../../../src/domain/billing/schedules/billing-report.js'

describe('the report of a billing run', () => {
  it('lists at most 1,000 items of a kind, and counts all', () => {
    const report = new BillingReport()
    for (let n = 1; n <= 1_001; n++) {
      const made = { billing_schedule_id: 'bsch_1', customer_id: 'acct_1', due_date: '2030-01-31' }
      report.invoice({ ...made, invoice_id: `inv_${n}`, amount: n })
    }
    const { count, amount, invoices, skipped_count, skipped } = report.shown
    expect({ count, amount, skipped_count, skipped }).to.deep.equal({
      count: 1_001,
      amount: (1_001 * 1_002) / 2,
      skipped_count: 0,
      skipped: [],
    })
    expect([invoices.length, invoices[0]?.invoice_id, invoices.at(-1)?.invoice_id]).to.deep.equal([
      1_000,
      'inv_1',
      'inv_1000',
    ])
  })
})
