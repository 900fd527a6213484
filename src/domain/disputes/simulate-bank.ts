import { ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import type { AdminRules } from '../../engine/core/write/rule.js'
import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { SimulatedEvent } from '../../resources/admin/simulate.js'
import { resources } from '../../resources/resource-table.js'
import { datetimeOf } from '../../schema/datetime.js'
import { isReturn, RETURN_CODES } from '../../schema/status-codes.js'
import { disputeOf, noteDispute } from './note-dispute.js'
import { recordChargeback } from './record-chargeback.js'
import { recordDisputeWon } from './record-dispute-won.js'
import { recordByHand, recordInquiry } from './record-stage.js'

const DEFAULT_RETURN = 'R01'
/** Milliseconds during which the simulated bank accepts evidence. */
const ANSWER_TIME = 9 * 86_400_000

/** Simulates the payer's bank in the test environment. Its actions are recorded as if a gateway had reported them. */
export const simulateBank: Pick<AdminRules, 'simulate'> = {
  simulate: {
    async perform(work, { event, transaction_id: id, amount, code }) {
      if (work.environment !== 'test')
        throw new ApiError('Forbidden', 'Banks are simulated in the test environment only')
      const payment = await work.find(resources.transaction, id ?? '')
      if (!payment) throw invalidAttributes({ transaction_id: 'Not found' })
      const { dispute, recorded } = await recordEvent(work, payment, {
        event: event ?? 'chargeback',
        amount: amount ?? undefined,
        code: code ?? undefined,
      })
      const after = await work.refresh(resources.transaction, payment.id)
      const noted = await disputeOf(work, payment, dispute)
      return {
        transaction_id: after.id,
        status: after.status,
        status_code: after.status_code,
        funding_status: after.funding_status,
        dispute_id: noted?.id ?? null,
        stage: noted?.stage ?? null,
        recorded_id: recorded?.id ?? null,
        type: recorded?.type ?? null,
        amount: recorded?.amount ?? noted?.amount ?? null,
        fee: (recorded?.fee ?? 0) + (recorded?.accrued_fee ?? 0),
      }
    },
  },
}

interface BankEvent {
  readonly event: SimulatedEvent
  /** Minor units; by default the amount of the payment, with its convenience fee where money moves. */
  readonly amount: number | undefined
  readonly code: string | undefined
}

/** The processor's id of a dispute, and the transaction that moved its money, if any has moved. */
interface Recorded {
  readonly dispute: string
  readonly recorded?: TransactionRow
}

async function recordEvent(
  work: Work,
  payment: TransactionRow,
  { event, amount, code }: BankEvent,
): Promise<Recorded> {
  if (event !== 'return' && code !== undefined) throw invalidAttributes({ code: 'Belongs to a return' })
  const paymentId = payment.id
  const dueBy = datetimeOf(work.milliseconds + ANSWER_TIME)
  switch (event) {
    case 'return': {
      await refuseReturn(work, payment, code)
      const dispute = work.newId('sim_')
      const statusCode = code ?? DEFAULT_RETURN
      return { dispute, recorded: await recordChargeback(work, { paymentId, dispute, amount, statusCode }) }
    }
    case 'inquiry': {
      const dispute = work.newId('sim_')
      await recordInquiry(work, payment, dispute, { amount, reason: 'general', dueBy })
      return { dispute }
    }
    case 'dispute_won':
    case 'dispute_lost': {
      if (amount !== undefined)
        throw invalidAttributes({
          amount: `A dispute is ${event === 'dispute_won' ? 'won' : 'lost'} as a whole`,
        })
      const dispute = await openDispute(work, payment)
      if (event === 'dispute_won')
        return { dispute, recorded: await recordDisputeWon(work, paymentId, dispute) }
      await recordByHand(work, payment, dispute, event)
      return { dispute }
    }
    case 'chargeback': {
      const dispute = (await openInquiry(work, payment)) ?? work.newId('sim_')
      const recorded = await recordChargeback(work, { paymentId, dispute, amount, statusCode: 'chargeback' })
      await noteDispute(work, payment, dispute, { reason: 'fraudulent', due_by: dueBy })
      return { dispute, recorded }
    }
  }
}

/** The newest inquiry about a payment, which a chargeback follows. */
async function openInquiry(work: Work, { id }: TransactionRow): Promise<string | undefined> {
  const rows = await work.findBy(resources.dispute, 'transaction_id', id)
  return rows.findLast(({ stage }) => stage === 'inquiry')?.reference ?? undefined
}

async function refuseReturn(work: Work, payment: TransactionRow, code = DEFAULT_RETURN): Promise<void> {
  if (!isReturn(code) || !(code in RETURN_CODES))
    throw invalidAttributes({ code: `Must be one of: ${Object.keys(RETURN_CODES).join(', ')}` })
  const method =
    payment.payment_method_id && (await work.find(resources.payment_method, payment.payment_method_id))
  if (method && method.type !== 'bank_account')
    throw invalidAttributes({ transaction_id: 'Only a payment from a bank account is returned' })
}

/**
 * The processor's id of a payment's newest dispute whose chargeback is not reversed. A chargeback wholly beyond the
 * payment has no ledger entry; its `disputed_id` names the payment.
 */
async function openDispute({ tx }: Work, { id }: TransactionRow): Promise<string> {
  const rows = await tx.db
    .selectFrom('transactions as t')
    .select(['t.dispute', 't.type'])
    .where('t.type', 'in', ['chargeback', 'chargeback_reversal'])
    .where((eb) =>
      eb.or([
        eb('t.disputed_id', '=', id),
        eb('t.id', 'in', (inner) =>
          inner
            .selectFrom('transaction_ledgers')
            .select('assoc_transaction_id')
            .where('transaction_id', '=', id)
            .$castTo<{ assoc_transaction_id: string }>(),
        ),
      ]),
    )
    .orderBy('t.id', 'desc')
    .execute()
  const won = new Set(rows.filter(({ type }) => type === 'chargeback_reversal').map((row) => row.dispute))
  const open = rows.find(({ dispute }) => !won.has(dispute))?.dispute
  if (!open) throw invalidAttributes({ transaction_id: 'Has no chargeback that is not won back' })
  return open
}
