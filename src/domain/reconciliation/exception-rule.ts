import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import type { ExceptionRow, TransactionRow } from '../../engine/store/database/tables.js'
import type { MoneyTakenBack } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { parsedJson } from '../../schema/json.js'
import type { Input } from '../../schema/types.js'
import { isTree } from '../../schema/types.js'
import { recordChargeback } from '../disputes/record-chargeback.js'
import { recordDisputeWon } from '../disputes/record-dispute-won.js'
import { bookResolution } from '../exceptions/book-resolution.js'
import { closeException, openException } from '../exceptions/close-exception.js'
import { type Resolution, resolutionsOf } from '../exceptions/raise-exception.js'
import type { Gateways } from '../gateways/gateways.js'
import { bookRefundMade } from '../payments/refund/refund-payment.js'
import { exceptionAbout } from '../settlements/find-place.js'
import { placeDecided } from '../settlements/pull-settlements.js'
import { capturePart, connectionOf, recordPaidOtherwise, retryRefund } from './late-failure-choices.js'
import { reversePartialApproval } from './reverse-partial-approval.js'

/**
 * Rule of reconciliation exceptions. Reports of gateways open them, and operators resolve each one by a resolution
 * that fits.
 */
export function exceptionRule(gateways: Gateways): Rule<typeof resources.exception> {
  return {
    actions: {
      resolve: {
        async perform(work, { id }, input) {
          const row = await openException(work, id)
          const resolution = chosen(row, input)
          const reason = typeof input.reason === 'string' ? input.reason : null
          const close = async (transaction?: TransactionRow) => {
            await bookResolution(work, resolution, row)
            const closed = await closeException(work, row, { resolution, reason, transaction })
            const gateway = await gateways.forStatus(work, row)
            if (gateway) await placeDecided(work, gateway, closed)
            return closed
          }
          switch (resolution) {
            case 'ignore':
            case 'loss':
            case 'cost':
            case 'reserve':
            case 'reserve_released':
            case 'transfer':
            case 'failed':
              return await close()
            case 'link': {
              const closed = await close(await linked(work, row, input))
              await refuseUnfitting(work, row)
              return closed
            }
            case 'refund':
              return await reversePartialApproval(work, await connectionOf(work, gateways, row), row, reason)
            case 'retry':
              return await retryRefund(work, gateways, row, reason)
            case 'paid_otherwise':
              await recordPaidOtherwise(work, row)
              return await close()
            case 'partial':
              await capturePart(work, row)
              return await close()
          }
        },
      },
    },
  }
}

/** The requested resolution. Throws `InvalidAttributes` if it does not fit the exception. */
function chosen(row: ExceptionRow, { resolution, transaction_id: transaction }: Input): Resolution {
  const fitting = resolutionsOf(row)
  const found = fitting.find((each) => each === resolution)
  if (!found)
    throw invalidAttributes({
      resolution: `Does not fit: ${row.kind} is resolved by ${fitting.join(', ')}`,
    })
  if (found === 'link' && !transaction) throw invalidAttributes({ transaction_id: 'Required' })
  if (found !== 'link' && transaction) throw invalidAttributes({ transaction_id: 'Is for link alone' })
  return found
}

/**
 * Refuses to link an exception to a transaction if its settlement line still matches no transaction afterwards. Throws
 * `InvalidAttributes`.
 */
async function refuseUnfitting(work: Work, { about, gateway, gateway_id: id }: ExceptionRow): Promise<void> {
  if (id === null || !about?.startsWith('settlement line ')) return
  const lines = await work.tx.db
    .selectFrom('admin_settlement_lines')
    .select(['kind', 'line_id'])
    .where('status', '=', 'unmatched')
    .where('gateway', '=', gateway)
    .where((eb) => eb.or([eb('gateway_id', '=', id), eb('line_id', '=', id)]))
    .execute()
  const isOpen = lines.some(
    ({ kind, line_id }) => exceptionAbout(gateway ?? '', { kind: kind ?? '', id: line_id ?? '' }) === about,
  )
  if (isOpen)
    throw invalidAttributes({ transaction_id: 'Does not fit: it is settled already, or took no money' })
}

/**
 * The transaction that an exception is linked to. Money that a bank took or returned, or that the gateway refunded, is
 * booked on it. Throws `InvalidAttributes` if it does not fit that transaction.
 */
async function linked(work: Work, row: ExceptionRow, { transaction_id: id }: Input): Promise<TransactionRow> {
  const transaction = await work.find(resources.transaction, String(id))
  if (!transaction) throw invalidAttributes({ transaction_id: 'Not found' })
  if (row.gateway !== null && transaction.gateway !== row.gateway)
    throw invalidAttributes({ transaction_id: `Was not taken by ${row.gateway}` })
  const refund = refundIn(row)
  if (refund) {
    await bookRefundMade(work, transaction, refund)
    return transaction
  }
  const notice = takenBackIn(row)
  if (!notice) return transaction
  const { kind, dispute, amount, statusCode } = notice
  if (kind === 'dispute_won') await recordDisputeWon(work, transaction.id, dispute)
  else
    await recordChargeback(work, {
      paymentId: transaction.id,
      dispute,
      amount,
      statusCode,
    })
  return transaction
}

/** The refund in the stored notice of an exception, if the gateway made it without a request; undefined otherwise. */
function refundIn({ kind, notice }: ExceptionRow) {
  const said = parsedJson(notice ?? '')
  if (kind !== 'amount_differs' || !isTree(said)) return undefined
  const { type, refund, amount } = said
  return type === 'refund' && typeof refund === 'string' && typeof amount === 'number'
    ? { amount, gatewayId: refund }
    : undefined
}

/** The chargeback, return or won dispute in the stored notice of an exception; undefined for another notice. */
function takenBackIn({ notice }: ExceptionRow): MoneyTakenBack | undefined {
  const said = parsedJson(notice ?? '')
  if (!isTree(said)) return undefined
  const { kind, dispute, payment, amount, statusCode } = said
  if (kind !== 'chargeback' && kind !== 'return' && kind !== 'dispute_won') return undefined
  if (typeof dispute !== 'string' || typeof amount !== 'number' || typeof statusCode !== 'string')
    return undefined
  return { kind, dispute, payment: String(payment), amount, statusCode }
}
