import { type ApiError, invalidAttributes } from '../../engine/core/request/errors.js'
import type { Minor } from '../../schema/money.js'
import { contraEntries } from '../ledger/entries.js'
import { disputeWonPostings } from '../ledger/postings.js'
import type { Transaction } from '../ledger/stored-transaction.js'
import { isReturn } from '../payments/status-codes.js'
import type { DisputeDecision } from './chargeback.js'

/** A dispute whose chargeback is reversed. Amounts in minor units. */
export interface Win {
  /** Of the chargeback_reversal. */
  readonly id: string
  readonly amount: Minor
  /** Whether money of the payment was deposited before: the payment stands in a deposit then. */
  readonly wasDeposited: boolean
}

/** Why a chargeback cannot be won; nothing when it can. */
export function winRefusal(statusCode: string | null): ApiError | undefined {
  return isReturn(statusCode)
    ? invalidAttributes({ transaction_id: `A bank return (${statusCode}) is final` })
    : undefined
}

/**
 * What a dispute that is won changes: a payment that was rejected is processed again, and its money goes to the
 * merchant, through the payment, with the next deposit. `payment` is as it was before.
 */
export function decideWin(
  payment: Transaction,
  { id, amount, wasDeposited }: Win,
  today: string,
): DisputeDecision {
  const wasRejected = payment.status === 'rejected'
  const convFee = wasRejected ? payment.convFee : 0
  return {
    own: {
      changes: {
        status: 'processed',
        status_code: 'dispute_won',
        processed_date: today,
        conv_fee: convFee,
      },
      entries: contraEntries(payment, { id, type: 'chargeback_reversal' }, amount),
      postings: disputeWonPostings(amount, convFee),
      events: [],
    },
    payment: {
      changes: {
        charged_back: payment.chargedBack - amount,
        ...(wasRejected && {
          status: 'processed',
          status_code: 'approved',
          funding_status: wasDeposited ? 'batched' : 'captured',
        }),
      },
      entries: [],
      postings: [],
      events: wasRejected ? ['processed'] : [],
    },
  }
}
