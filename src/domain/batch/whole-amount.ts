import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { Steps } from '../../engine/core/write/rule.js'
import type { BatchKind } from '../../resources/batch-kinds.js'
import type { Json } from '../../schema/json.js'
import { showMoney } from '../../schema/money.js'
import { isTree } from '../../schema/types.js'

/** A refund that names no amount is one of all that was paid. Throws `InvalidAttributes` where there is no payment. */
export async function withWholeAmount(steps: Steps, { about }: BatchKind, body: Json): Promise<Json> {
  if (about !== 'refund' || !isTree(body) || body.amount !== undefined) return body
  const { payment: id } = body
  if (typeof id !== 'string') return body
  const payment = await steps.read((work) => work.find('transaction', id))
  if (!payment) throw invalidAttributes({ payment: 'Not found' })
  return { ...body, amount: showMoney(payment.amount ?? 0) }
}
