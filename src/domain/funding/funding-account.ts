import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { AccountRow, ProcessingSettingsRow } from '../../engine/store/database/tables.js'
import type { CutOff } from '../../platform/calendar/cut-off.js'
import type { Minor } from '../../schema/money.js'
import { cutOffOf } from '../accounts/org-rule.js'
import { type Payouts, payoutsIn } from '../ledger/payouts.js'
import type { BillingPreference } from './decide-deposit.js'

/** Data of a processing account that funding needs. Fees are in minor units. */
export interface FundingAccount {
  readonly id: string
  readonly cutOff: CutOff
  readonly billing: BillingPreference
  readonly payouts: Payouts
  readonly batchFee: Minor
  /** Minimum of a month's bill, and the fee of every month; 0 while the account is incomplete or inactive. */
  readonly minimumBill: Minor
  readonly monthlyFee: Minor
  /** The month (`YYYY-MM`) that is billed next, and the datetime at which its bill is due; null on a new account. */
  readonly billMonth: string | null
  readonly billDueAt: string | null
}

/**
 * Reads what funding needs of an account. Throws an error if its row is missing, which should not happen: rows of
 * deleted accounts are kept.
 */
export async function fundingAccount(work: Work, id: string): Promise<FundingAccount> {
  const [row] = await work.tx.run(accountWithSettings, { id })
  if (!row) throw new Error(`The processing account ${id} is gone`)
  const isUsed = row.processing__status !== 'incomplete' && row.processing__status !== 'inactive'
  return {
    id,
    cutOff: await cutOffOf(work, id),
    billing: row.billing_preference ?? 'netted_daily',
    payouts: payoutsIn(work.environment, row.processing__payouts),
    batchFee: row.batch_fee ?? 0,
    minimumBill: isUsed ? (row.minimum_bill ?? 0) : 0,
    monthlyFee: isUsed ? (row.monthly_processing_fee ?? 0) : 0,
    billMonth: row.bill_month,
    billDueAt: row.bill_due_at,
  }
}

type Row = Pick<AccountRow, 'processing__status' | 'processing__payouts' | 'bill_month' | 'bill_due_at'> &
  Pick<ProcessingSettingsRow, 'billing_preference' | 'batch_fee' | 'minimum_bill' | 'monthly_processing_fee'>

const accountWithSettings = prepared<{ id: string }, Row>((db, param) =>
  db
    .selectFrom('accounts as a')
    .leftJoin('processing_settings as s', 's.id', 'a.processing_settings_id')
    .select([
      'a.processing__status',
      'a.processing__payouts',
      'a.bill_month',
      'a.bill_due_at',
      's.billing_preference',
      's.batch_fee',
      's.minimum_bill',
      's.monthly_processing_fee',
    ])
    .where('a.id', '=', param('id')),
)
