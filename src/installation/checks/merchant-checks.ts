import type { Environment, Tx } from '../../engine/store/database/store.js'
import { moneyWithCurrency } from '../../schema/money.js'
import type { Attention } from './attention-checks.js'

interface CheckedMerchants {
  readonly environment: Environment
  /** Real time, by which refused attempts are counted. */
  readonly realNow: number
}

/** Findings about money that merchants should have received, but did not. */
export async function checkMerchants(tx: Tx, checked: CheckedMerchants): Promise<Attention[]> {
  const found = [await failedCollections(tx, checked), await incompleteAccounts(tx, checked)]
  return found.filter((one) => one !== undefined)
}

/** Invoices that are still due after their last automatic payment was declined or refused. */
async function failedCollections(
  { db }: Tx,
  { environment }: CheckedMerchants,
): Promise<Attention | undefined> {
  const rows = await db
    .selectFrom('collections as tried')
    .innerJoin('invoices', 'invoices.id', 'tried.invoice_id')
    .leftJoin('transactions', 'transactions.id', 'tried.transaction_id')
    .select([
      'invoices.id',
      'invoices.amount_due',
      'invoices.collect_on',
      'tried.refusal',
      'transactions.status_code',
    ])
    .where('invoices.deleted_at', 'is', null)
    .where('invoices.amount_due', '>', 0)
    .where(({ or, eb }) =>
      or([eb('tried.refusal', 'is not', null), eb('transactions.status', '=', 'declined')]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('collections as later')
            .select('later.id')
            .whereRef('later.invoice_id', '=', 'tried.invoice_id')
            .whereRef('later.attempt_date', '>', 'tried.attempt_date'),
        ),
      ),
    )
    .orderBy('invoices.id')
    .execute()
  const [first] = rows
  if (!first) return undefined
  const amount = moneyWithCurrency(rows.reduce((sum, { amount_due: due }) => sum + (due ?? 0), 0))
  const ended = rows.filter(({ collect_on: next }) => next === null).length
  const invoices = rows.length === 1 ? 'an invoice' : `${rows.length} invoices`
  return {
    check: 'automatic payments',
    state: 'warning',
    found:
      `${amount} of ${invoices} is unpaid after a declined automatic payment ` +
      `(${first.status_code ?? first.refusal}${rows.length === 1 ? '' : ' the first'}); ` +
      (ended === 0
        ? 'it is tried again'
        : `${ended === rows.length ? 'it' : `${ended} of them`} is not tried again`),
    command:
      rows.length === 1
        ? `payctl invoices get ${first.id} --env ${environment}`
        : `payctl invoices list --env ${environment} --where 'amount_due=>0' --where 'billing_schedule_id=!'`,
  }
}

/** Processing accounts that cannot take payments yet; a warning if a payer tried to pay within a day. */
async function incompleteAccounts(
  { db }: Tx,
  { environment, realNow }: CheckedMerchants,
): Promise<Attention | undefined> {
  const refusals = db
    .selectFrom('attempts')
    .select('subject')
    .where('purpose', '=', 'incomplete_account')
    .where('until', '>', realNow)
  const incomplete = db
    .selectFrom('accounts')
    .select(['id', 'name'])
    .where('type', '=', 'processing')
    .where('processing__status', '=', 'incomplete')
    .where('deleted_at', 'is', null)
    .orderBy('id')
  const tried = await incomplete.where('id', 'in', refusals).execute()
  const all = tried.length > 0 ? tried : await incomplete.execute()
  const [first] = all
  if (!first) return undefined
  const more = all.length === 1 ? '' : ` and ${all.length - 1} more`
  const isTried = tried.length > 0
  return {
    check: 'incomplete merchants',
    state: isTried ? 'warning' : 'note',
    found: isTried
      ? `somebody tried to pay ${first.name}${more} within a day: payments are refused until the account is complete`
      : `${first.name}${more} cannot take payments until the account is complete`,
    command: `payctl processing-accounts complete ${first.id} --env ${environment}`,
  }
}
