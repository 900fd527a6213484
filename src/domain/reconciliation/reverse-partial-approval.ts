import { type ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import type { ExceptionRow } from '../../engine/store/database/tables.js'
import type { GatewayOperation, RemoteGateway } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { timeOfId } from '../../schema/id-time.js'
import { parsedJson } from '../../schema/json.js'
import { isTree } from '../../schema/types.js'
import { closeException } from '../exceptions/close-exception.js'
import { type Gateways, limitedBy } from '../gateways/gateways.js'
import { answerTo } from '../payments/outcome/ask-gateway.js'
import type { OutcomeSearch } from '../payments/outcome/reconcile.js'
import { refNumber } from '../payments/parties/ref-number.js'
import { type Answer, refusalOf } from '../payments/pending/gateway-answer.js'
import { requestOnPayment } from '../payments/pending/gateway-request.js'
import { placeDecided } from '../settlements/pull-settlements.js'

/**
 * Returns the money of an exception to the payer through its gateway. A difference is refunded; a whole payment is
 * voided, or refunded if it has settled. The exception stays open until the gateway has confirmed it.
 */
export async function reversePartialApproval(
  work: Work,
  gateway: RemoteGateway,
  row: ExceptionRow,
  reason: string | null,
): Promise<ExceptionRow> {
  const isRefund = row.kind === 'amount_differs' || row.kind === 'refund_failed'
  if (row.kind === 'amount_differs' && !gateway.capabilities.partialRefund)
    throw invalidAttributes({ resolution: `${gateway.name} refunds no part of a payment` })
  return await ask(
    work,
    gateway,
    await work.change(resources.exception, row.id, { reason }),
    isRefund ? 'refund' : 'void',
  )
}

async function ask(
  work: Work,
  gateway: RemoteGateway,
  { id }: ExceptionRow,
  type: 'void' | 'refund',
): Promise<ExceptionRow> {
  const row = await work.change(resources.exception, id, {
    pending_operation: `${type}:${work.newId('op_')}`,
  })
  const request = await requestOf(work, row)
  if (!request) throw new Error(`The transaction of ${id} is gone`)
  work.afterCommit({
    async perform() {
      const answer = await answerTo(gateway, request)
      return async (later) =>
        answer === 'unknown' ? undefined : await record(later, gateway, id, request, answer)
    },
  })
  return row
}

/** The pending request of an exception; undefined if it has none. */
async function requestOf(work: Work, row: ExceptionRow): Promise<GatewayOperation | undefined> {
  const [type, reference = ''] = row.pending_operation?.split(':') ?? []
  if (type !== 'void' && type !== 'refund') return undefined
  const said = parsedJson(row.notice ?? '')
  const { type: made, state, reference: forgotten } = isTree(said) ? said : {}
  const transaction =
    typeof forgotten === 'string'
      ? { ...work.blank(resources.transaction), id: forgotten, ref_number: refNumber(forgotten) }
      : row.transaction_id && (await work.find(resources.transaction, row.transaction_id))
  if (!transaction) return undefined
  const isHeld = made === 'authorize' && state !== 'captured'
  const status = isHeld ? 'authorized' : 'processed'
  // The exception of a failed refund has the gateway's id of the refund, not of the payment.
  const gateway_id = row.kind === 'refund_failed' ? transaction.gateway_id : row.gateway_id
  const payment = { ...transaction, gateway_id, status } as const
  return requestOnPayment(type, reference, payment, row.amount ?? 0)
}

/** Records the gateway's answer. Returns the refusal of the request, if any. */
async function record(
  work: Work,
  gateway: RemoteGateway,
  id: string,
  { type, reference }: GatewayOperation,
  answer: Answer,
): Promise<ApiError | undefined> {
  const row = await work.lock(resources.exception, id)
  if (row?.pending_operation !== `${type}:${reference}`) return undefined
  if (answer !== 'never_seen' && answer.result === 'pending') return undefined
  if (answer !== 'never_seen' && answer.result === 'approved') {
    const resolution = row.kind === 'refund_failed' ? 'retry' : 'refund'
    const closed = await closeException(work, row, { resolution, reason: row.reason })
    await placeDecided(work, gateway, closed)
    return undefined
  }
  if (
    answer !== 'never_seen' &&
    answer.result === 'declined' &&
    type === 'void' &&
    isSettled(answer.statusCode)
  ) {
    await ask(work, gateway, row, 'refund')
    return undefined
  }
  await work.change(resources.exception, id, { pending_operation: null })
  if (answer === 'never_seen') return undefined
  const said = answer.result === 'declined' ? answer.statusCode : answer.result
  return refusalOf(answer) ?? invalidAttributes({ resolution: `The gateway does not give it back: ${said}` })
}

function isSettled(statusCode: string): boolean {
  return statusCode === 'already_settled'
}

/** Queries a gateway for the outcome of reversals that it has not confirmed, until the budget is spent. */
export async function followReversal(
  { read, write }: WorkRunner,
  gateways: Gateways,
  { name, now, inFlight, budget }: OutcomeSearch,
): Promise<void> {
  const open = await read((work) => openReversals(work, gateways, name))
  for (const row of open) {
    if (budget?.end !== undefined) return
    const [request, gateway] = await read(async (work) => [
      await requestOf(work, row),
      await gateways.forStatus(work, row),
    ])
    if (!request || !gateway) continue
    const since = timeOfId(request.reference)
    if (since > now - inFlight) continue
    const found = await limitedBy(budget, gateway)
      .find(request, { since })
      .catch(() => 'cannot_say' as const)
    if (found === 'cannot_say') continue
    if (found === 'never_seen' && now - since < gateway.capabilities.horizon) continue
    await write(async (work) => await record(work, gateway, row.id, request, found))
  }
}

/** Exceptions whose request to a gateway has no outcome yet. */
async function openReversals(work: Work, gateways: Gateways, name: string): Promise<ExceptionRow[]> {
  const rows = await work.tx.db
    .selectFrom('admin_exceptions')
    .selectAll()
    .where('pending_operation', 'is not', null)
    .execute()
  const own: ExceptionRow[] = []
  for (const row of rows) if ((await gateways.laneOf(work, row)) === name) own.push(row)
  return own
}
