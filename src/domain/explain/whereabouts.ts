import type { TransactionRow } from '../../engine/store/database/tables.js'
import { formatMoney } from '../../schema/money.js'
import { isAwaitingPayer } from '../payments/pending/awaited-payer.js'

type Row = Pick<
  TransactionRow,
  | 'type'
  | 'status'
  | 'status_message'
  | 'funding_status'
  | 'risk_flag'
  | 'awaiting'
  | 'due_at'
  | 'amount'
  | 'processed_date'
  | 'period'
> &
  Parameters<typeof isAwaitingPayer>[0]

/** Sentence that says where the money is, and why it is not in the merchant's bank account yet. */
export function whereabouts(row: Row, deposit: Row | undefined): string {
  if (row.type !== 'payment') return ofOthers(row, deposit)
  switch (row.status) {
    case 'declined':
      return `It was declined (${row.status_message}): no money has moved.`
    case 'voided':
      return 'It was voided: no money has moved.'
    case 'processing':
      return isAwaitingPayer(row)
        ? 'Its payer has to confirm it with the bank: no money moves before that.'
        : 'The gateway has not said yet what became of it.'
    case 'authorized':
      return row.risk_flag === 'in_review'
        ? 'It is held for review: the money is set aside, and moves once it is allowed.'
        : 'It is authorized: the money is set aside, and moves once it is captured.'
    case 'rejected':
      return `It was taken back by the payer's bank (${row.status_message}).`
    case 'processed':
      return ofProcessed(row, deposit)
    case null:
      return 'It is damaged: it has no status.'
  }
}

function ofProcessed(row: Row, deposit: Row | undefined): string {
  switch (row.funding_status) {
    case 'pending':
      return `It waits for the end of its business day, at ${row.due_at} UTC; the deposit after that pays it.`
    case 'captured':
      if (row.awaiting === null)
        return 'It was captured: when it is paid out is for its gateway to say (payctl settlements list).'
      return `It was captured, and goes into the deposit of the business day that ends at ${row.due_at} UTC.`
    case 'refunded':
      return deposit
        ? `It was paid with ${paidWith(deposit)}, and has been refunded since.`
        : 'It was refunded before it was deposited.'
    case 'batched': {
      const again = row.awaiting === 'funding' ? ` What is due again comes with the next deposit.` : ''
      return deposit ? `It was paid with ${paidWith(deposit)}.${again}` : `It is in a deposit.${again}`
    }
    case 'reversed':
    case null:
      return 'It is not paid out.'
  }
}

function ofOthers(row: Row, deposit: Row | undefined): string {
  if (row.status === 'declined') return `It was declined (${row.status_message}): no money has moved.`
  if (row.period !== null && row.status === 'processing')
    return `It is the ${row.type} of ${row.period}, and is still being put together.`
  if (row.period !== null)
    return `It is the ${row.type} of ${row.period}: ${formatMoney(row.amount ?? 0)} moved on ${row.processed_date}.`
  return deposit
    ? `It was settled with ${paidWith(deposit)}.`
    : `It follows from the transactions of its ledger.`
}

function paidWith({ type, period, status, processed_date: date }: Row): string {
  const what = `the ${type} of ${period}`
  return status === 'processed' ? `${what}, on ${date}` : `${what}, which is still being put together`
}
