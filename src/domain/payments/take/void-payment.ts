import { type ApiError, invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { Tx } from '../../../engine/store/database/store.js'
import type { TransactionRow } from '../../../engine/store/database/tables.js'
import type { Gateway } from '../../../gateways/contract.js'
import { resources } from '../../../resources/resource-table.js'
import { busy, storedTransaction, type Transaction } from '../../ledger/stored-transaction.js'
import { cancelAfterCommit } from '../outcome/ask-gateway.js'
import { isAwaitingPayer } from '../pending/awaited-payer.js'
import { pendingRequest } from '../pending/gateway-request.js'
import { cannotChange } from '../pending/transaction-status.js'
import { type Claim, performClaimed } from './perform-claimed.js'

/** Voids a payment that has not settled. Throws when its state does not allow it. Spec: "States and transitions". */
export async function voidPayment(work: Work, gateway: Gateway, id: string): Promise<TransactionRow> {
  const awaited = await cancelAwaited(work, gateway, id)
  if (awaited) return awaited
  if (gateway.kind === 'remote' && gateway.capabilities.voidCaptured === 'no') {
    const row = await work.find(resources.transaction, id)
    if (row?.status === 'processed')
      throw refuse(
        storedTransaction(row),
        `${gateway.name} voids nothing that was captured, refund it instead`,
      )
  }
  const [disputed] = await work.tx.run(disputeEntryOf, { id })
  const refusal = (payment: Transaction) => voidRefusal(payment, disputed !== undefined)
  const operation = { kind: 'void', claim: claimVoid, refusal } as const
  return await performClaimed(work, gateway, id, operation)
}

/**
 * Gives up a payment that waits for its payer. It is cancelled at the gateway now, and again until the gateway confirms
 * an outcome. Returns undefined for any other payment.
 */
async function cancelAwaited(work: Work, gateway: Gateway, id: string): Promise<TransactionRow | undefined> {
  if (gateway.kind !== 'remote') return undefined
  const row = await work.lock(resources.transaction, id)
  const operation = row && isAwaitingPayer(row) ? await pendingRequest(work, row) : undefined
  if (!row || !operation) return undefined
  cancelAfterCommit(work, gateway, operation, row.gateway_id)
  return await work.change(resources.transaction, id, { next_action__expires_at: work.now })
}

/**
 * Reason why a transaction cannot be voided now; undefined if it can. A disputed payment was settled, even if the
 * dispute was won since. See docs/money.md, "A payment's status".
 */
export function voidRefusal(payment: Transaction, isDisputed = false): ApiError | undefined {
  if (payment.type !== 'payment') return refuse(payment, 'only a payment is voided')
  if (payment.pendingOperation !== null) return busy(payment)
  if (payment.status === 'authorized') return undefined
  if (payment.status !== 'processed')
    return invalidAttributes({ status: cannotChange(payment.status, 'voided') })
  if (payment.refunded > 0) return refuse(payment, 'it is partly or wholly refunded')
  if (payment.chargedBack > 0) return refuse(payment, 'it is charged back, refund the rest instead')
  if (payment.fundingStatus !== 'pending') return refuse(payment, 'it has settled, refund it instead')
  if (isDisputed) return refuse(payment, 'it was disputed, refund it instead')
  return undefined
}

function refuse({ status }: Transaction, reason: string): ApiError {
  return invalidAttributes({ status: `${cannotChange(status, 'voided')}: ${reason}` })
}

const claimVoid = prepared<Claim, never>((db, param) =>
  db
    .updateTable('transactions')
    .set({ pending_operation: param('pending'), modified_at: param('now') })
    .where('id', '=', param('id'))
    .where('type', '=', 'payment')
    .where('pending_operation', 'is', null)
    .where((eb) =>
      eb.or([
        eb('status', '=', 'authorized'),
        eb.and([
          eb('status', '=', 'processed'),
          eb('funding_status', '=', 'pending'),
          eb('refunded', '=', 0),
          eb('charged_back', '=', 0),
          eb('id', 'not in', disputeEntries(db).where('transaction_id', '=', param('id'))),
        ]),
      ]),
    ),
)

const disputeEntryOf = prepared<{ id: string }, { transaction_id: string | null }>((db, param) =>
  disputeEntries(db).where('transaction_id', '=', param('id')).limit(1),
)

/** Ledger entries of chargebacks and bank returns, and of their reversals after won disputes. */
function disputeEntries(db: Tx['db']) {
  return db
    .selectFrom('transaction_ledgers')
    .select('transaction_id')
    .where('entry_type', 'in', ['chargeback', 'chargeback_reversal'])
}
