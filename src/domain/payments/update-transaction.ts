import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { Gateway } from '../../gateways/contract.js'
import { storedTransaction } from '../ledger/stored-transaction.js'
import { requireGateway } from './ask-gateway.js'
import { capturePayment } from './capture-payment.js'
import type { TransactionInput } from './described-transaction.js'
import { cannotChange, operationFor } from './status.js'
import { voidPayment } from './void-payment.js'

/** Changes what is only described, and voids or captures by its `status`. Spec: "States and transitions". */
export async function updateTransaction(
  work: Work,
  gateway: Gateway | undefined,
  row: TransactionRow,
  input: TransactionInput,
): Promise<TransactionRow> {
  const { status, ...described } = input
  const operation = requestedOperation(row, status)
  const updated = await work.updatePlainly('transaction', row, described)
  if (operation === 'none') return updated
  const connected = requireGateway(gateway, work.environment)
  return operation === 'capture'
    ? await capturePayment(work, connected, row.id)
    : await voidPayment(work, connected, row.id)
}

function requestedOperation(
  row: TransactionRow,
  status: TransactionInput['status'],
): 'capture' | 'void' | 'none' {
  if (status === undefined) return 'none'
  if (status === null) throw invalidAttributes({ status: 'Required' })
  const from = storedTransaction(row).status
  const operation = operationFor(from, status)
  if (!operation) throw invalidAttributes({ status: cannotChange(from, status) })
  return operation
}
