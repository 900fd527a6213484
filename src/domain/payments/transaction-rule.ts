import { ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Principal } from '../../engine/core/request/principal.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { isTree } from '../../schema/types.js'
import { boundMethod, outside, refuseBeyond } from '../accounts/client-method.js'
import { authorizeAllocations } from '../allocations/new-payment.js'
import type { Gateways } from '../gateways/gateways.js'
import { lookUpToken } from '../gateways/look-up-token.js'
import { shownToClient } from './client-answer.js'
import type { TransactionInput } from './parties/new-transaction.js'
import { isAwaitingPayer } from './pending/awaited-payer.js'
import { readPending } from './pending/pending-operation.js'
import { refundedPayment, refundPayment } from './refund/refund-payment.js'
import { takePayment } from './take/take-payment.js'
import { captureByAction, reviewPayment, updateTransaction } from './update-transaction.js'

/**
 * Rule of transactions. None is created while no gateway is connected. Spec: "Transaction" and "Operations on specific
 * resources".
 */
export function transactionRule(gateways: Gateways): Rule<typeof resources.transaction> {
  return {
    prepare(input, preparing) {
      const { payment_method: method } = input
      if (!method?.gateway_token) return input
      return lookUpToken(gateways, method, preparing).then(() => input)
    },

    inserts: (sent) => isTree(sent) && sent.type === 'payment',
    handles: ['customer', 'payment_method', 'processing', 'reader'],
    create: async (work, sent) => {
      authorizeAllocations(work, sent)
      const input = applyIntent(work.principal, sent)
      await gateways.require(work)
      return await createTransaction(work, gateways, input)
    },
    update: async (work, row, input) => await updateTransaction(work, gateways, row, input),

    /** Refuses to delete a transaction that has moved money, or may still do so. See docs/interface.md, "Deleting". */
    async delete(work, row) {
      if (row.status !== 'declined' && row.status !== 'voided') {
        throw invalidAttributes({
          status: `Only declined and voided transactions are deleted, this is ${row.status}`,
        })
      }
      await refuseUndecided(work, row)
      await work.deletePlainly(resources.transaction, row)
    },

    actions: {
      capture: { perform: async (work, row, input) => await captureByAction(work, gateways, row, input) },
      review: { perform: async (work, row, input) => await reviewPayment(work, gateways, row, input) },
    },

    /**
     * A declined transaction is stored, and its request is still answered with an error. See docs/interface.md,
     * "Errors".
     */
    answeredAs: ({ status, status_message: message }) =>
      status === 'declined' ? { type: 'TransactionDeclined', description: message ?? 'Declined' } : undefined,

    shownToClient,

    isOpen: (row) =>
      row.pending_operation !== null &&
      readPending(row.pending_operation).kind !== 'refunding' &&
      !isAwaitingPayer(row),
  }
}

async function createTransaction(
  work: Work,
  gateways: Gateways,
  input: TransactionInput,
): Promise<TransactionRow> {
  switch (input.type) {
    case 'payment':
      refuseLedger(input)
      return await takePayment(work, gateways, input, {
        type: 'payment',
        requestedStatus: requestedStatus(input),
      })
    case 'refund': {
      refuseStatus(input)
      refusePaying(input)
      const payment = refundedPayment(input)
      if (payment !== undefined) return await refundPayment(work, gateways, input, payment)
      refuseBlind(work)
      return await takePayment(work, gateways, input, { type: 'refund', requestedStatus: 'processed' })
    }
    case 'credit':
      refuseLedger(input)
      refuseStatus(input)
      refusePaying(input)
      refuseBlind(work)
      return await takePayment(work, gateways, input, { type: 'credit', requestedStatus: 'processed' })
    default:
      throw invalidAttributes({ type: input.type ? 'Must be one of: payment, refund, credit' : 'Required' })
  }
}

/**
 * Refuses to delete a transaction that its gateway may still report as taken, or that waits for an operator's
 * decision.
 */
async function refuseUndecided(work: Work, { id, status_code: code }: TransactionRow): Promise<void> {
  if (code === 'never_sent')
    throw invalidAttributes({
      status_code: 'The gateway may have executed it after all; this would be recorded on the transaction',
    })
  const [open] = await work.tx.run(openExceptionAbout, { id })
  if (open) throw invalidAttributes({ id: `The exception ${open.id} about this transaction is not resolved` })
}

const openExceptionAbout = prepared<{ id: string }, { id: string }>((db, param) =>
  db
    .selectFrom('admin_exceptions')
    .select('id')
    .where('transaction_id', '=', param('id'))
    .where('status', '=', 'open')
    .limit(1),
)

function requestedStatus({ status }: TransactionInput): 'processed' | 'authorized' {
  if (status === undefined || status === null) return 'processed'
  if (status === 'processed' || status === 'authorized') return status
  throw invalidAttributes({ status: 'Must be one of: processed, authorized' })
}

function refuseStatus({ status }: TransactionInput): void {
  if (status && status !== 'processed') throw invalidAttributes({ status: 'Must be one of: processed' })
}

/** Clients cannot write ledger entries, except the one that names a refund's payment. */
function refuseLedger({ ledger }: TransactionInput): void {
  if (ledger && ledger.length > 0) throw invalidAttributes({ ledger: 'Only a refund names a transaction' })
}

function refusePaying({ allocations, payment_link_id: link }: TransactionInput): void {
  if (link) throw invalidAttributes({ payment_link_id: 'Only a payment goes through a link' })
  if (allocations && allocations.length > 0)
    throw invalidAttributes({ allocations: 'Only a payment pays invoices' })
}

/** In live, a key needs the permission `manage` to pay out money that no payment brought in. */
function refuseBlind({ environment, principal }: Work): void {
  if (environment === 'live' && !principal.manage) {
    throw new ApiError(
      'Forbidden',
      'A refund without a payment, or a credit, needs the permission manage in live',
    )
  }
}

/** Attributes of a payment that a page may send, whatever the intent of its client key. */
const FREE: ReadonlySet<string> = new Set([
  'object',
  'type',
  'status',
  'amount',
  'description',
  'order_number',
  'processing_id',
  'card_code',
  'payment_method',
  'order_details',
  'shipping_details',
  'attrs',
])

/**
 * Restricts a client key's payment to a new payment method and to the attributes that its intent fixes. Input by
 * other principals is returned unchanged. Throws `Forbidden`, which names the attributes beyond the intent.
 */
function applyIntent({ kind, intent = {} }: Principal, input: TransactionInput): TransactionInput {
  if (kind !== 'client') return input
  if (input.type !== 'payment') throw outside(['type'], 'Must be payment')
  const { invoice_id, payment_method: fixedMethod, ...fixed } = intent
  refuseBeyond(input, { free: FREE, intent: fixed, path: [] })
  const { payment_method: sent, amount } = input
  if (!sent) throw invalidAttributes({ payment_method: 'Required' })
  const payment_method = boundMethod(sent, fixedMethod, ['payment_method'])
  const bound = { ...input, ...fixed, payment_method }
  if (invoice_id === undefined) return bound
  return { ...bound, allocations: [{ entry_type: 'payment', invoice_id, amount }] }
}
