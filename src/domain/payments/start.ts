import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
import type { AccountRow, ProcessingSettingsRow, TransactionRow } from '../../engine/store/database/tables.js'
import type { Gateway } from '../../gateways/contract.js'
import { missingParts } from '../accounts/processing-status.js'
import { papersOf } from '../accounts/refresh-status.js'
import { withInvoices, writeAllocations } from '../allocations/new-payment.js'
import { methodKind } from '../ledger/fees.js'
import { storedTransaction } from '../ledger/stored.js'
import { PASSED, screenPayment } from '../risk/screening.js'
import { askLater } from './ask-gateway.js'
import { insertDecided } from './carry-out.js'
import { decideOutcome } from './decide-outcome.js'
import { decideDecline } from './decline.js'
import { cannotProcess, disabledKind, exceededLimit, mayProcess } from './eligibility.js'
import { findDestination } from './find-destination.js'
import { newOperation, openMethod } from './gateway-operation.js'
import { type Beginning, intent } from './intent.js'
import { cardCodeOf } from './named.js'
import type { TransactionInput } from './new-transaction.js'
import { writeOpen } from './open-operation.js'
import { type Payer, payerOf } from './payer.js'
import { readerOf } from './reader.js'
import { forgetUsedOnce } from './record-outcome.js'
import { settingsOf } from './settings-of.js'
import { todayOf } from './today.js'

/**
 * Takes a payment, or pays a blind refund or a credit. An embedded gateway's outcome is part of the same row; a
 * remote one is asked after the commit. Spec: "Operations on specific resources". Money: "Before a payment is taken".
 */
export async function startTransaction(
  work: Work,
  gateway: Gateway,
  sent: TransactionInput,
  beginning: Beginning,
): Promise<TransactionRow> {
  const input = await withInvoices(work, sent)
  const payer = await payerOf(work, input)
  const account = await findDestination(work, input, payer.customer)
  const settings = await settingsOf(work, account)
  await refuseIneligible(work, account, settings, payer, input.amount ?? 0)
  const method = openMethod(work, payer.method, cardCodeOf(input))
  if (!method) throw invalidAttributes({ payment_method_id: 'Was used once and not saved' })

  const row = intent(work, input, beginning, { ...payer, account, settings })
  row.gateway = gateway.name
  row.reader_id = await readerOf(work, input, account.id)
  const screened =
    beginning.type === 'payment' ? await screenPayment(work, row, payer.method, settings) : PASSED
  Object.assign(row, { risk_flag: screened.risk.flag, risk_score: screened.risk.score })
  if (screened.kind === 'refused') {
    const declined = await insertDecided(work, row, decideDecline(screened.statusCode))
    await forgetUsedOnce(work, payer.method)
    return declined
  }
  const operation = operationOf(beginning, screened.kind === 'held')
  row.open_operation = writeOpen({ kind: operation.open })
  const transaction = storedTransaction(row)
  const request = newOperation(operation.type, transaction, method)
  if (gateway.kind === 'remote') {
    await work.insert('transaction', row)
    await writeAllocations(work, input, row)
    askLater(work, gateway, request, row.id)
    return row
  }
  const decision = decideOutcome(
    transaction,
    { kind: operation.open },
    gateway.perform(request),
    await todayOf(work, account),
  )
  const decided = await insertDecided(work, row, decision)
  await writeAllocations(work, input, decided)
  await forgetUsedOnce(work, payer.method)
  return decided
}

async function refuseIneligible(
  work: Work,
  account: AccountRow,
  settings: ProcessingSettingsRow,
  { customer, method }: Payer,
  amount: number,
): Promise<void> {
  const status = account.processing__status
  if (!mayProcess(work.environment, status)) {
    throw invalidAttributes(cannotProcess(status, missingParts(await papersOf(work, account))))
  }
  const problems =
    disabledKind(settings, methodKind(method)) ??
    exceededLimit(amount, [account.transaction_limit, customer?.transaction_limit])
  if (problems) throw invalidAttributes(problems)
}

/** What is asked of the gateway: a payment that is held for review is only authorized, whatever was asked for. */
function operationOf({ type, askedStatus }: Beginning, isHeld: boolean) {
  switch (type) {
    case 'payment':
      return isHeld || askedStatus === 'authorized'
        ? ({ type: 'authorize', open: 'authorize' } as const)
        : ({ type: 'sale', open: 'sale' } as const)
    case 'refund':
      return { type: 'refund', open: 'blind_refund' } as const
    case 'credit':
      return { type: 'credit', open: 'credit' } as const
  }
}
