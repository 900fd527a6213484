import type { Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import { severalAtOnce } from '../../engine/jobs/several-at-once.js'
import type { PaymentMethodRow } from '../../engine/store/database/tables.js'
import type { FoundOutcome, RemoteGateway, StoreOperation } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { timeOfId } from '../../schema/id-time.js'
import { type Gateways, limitedBy } from '../gateways/gateways.js'
import type { OutcomeSearch } from './outcome/reconcile.js'
import type { AwaitedPayment, AwaitedStep } from './outcome/settle-awaited.js'
import { fieldsFor } from './outcome/settle-awaited.js'
import { giveUpStoring, recordStored, storeOperation } from './take/store-method.js'

/** A payment method whose storing at a gateway has no outcome yet. */
interface Storing {
  readonly gateway: RemoteGateway
  readonly operation: StoreOperation
  readonly since: number
  /** Whether the payer had to authenticate, and the time for that is over. */
  readonly isOver: boolean
}

/**
 * Finds payment methods whose storing at a gateway has no outcome, queries the gateway about each, and records its
 * answers.
 */
export async function findStored(
  { read, write }: WorkRunner,
  gateways: Gateways,
  { name, now, inFlight, budget }: OutcomeSearch,
): Promise<void> {
  const found = await read(async (work) => {
    const rows = await work.tx.db
      .selectFrom('payment_methods')
      .selectAll()
      .where('pending_store', 'is not', null)
      .where('token_gateway', '=', name)
      .orderBy('id')
      .execute()
    // One after another: the queries of one unit of work share a connection.
    const all: Storing[] = []
    for (const row of rows) {
      const storing = await storingOf(work, gateways, row)
      if (storing) all.push(storing)
    }
    return all
  })
  const due = found.filter(({ since }) => since <= now - inFlight)
  await severalAtOnce(due, async (storing) => {
    if (budget?.end !== undefined) return
    const gateway = limitedBy(budget, storing.gateway)
    await settle(write, { ...storing, gateway }, { now, isGivenUp: false })
  })
}

/**
 * Queries the gateway about a method whose payer is on its page. Returns the step that the payer must still take;
 * undefined if there is none.
 */
export async function settleStored(
  { read, write }: WorkRunner,
  gateways: Gateways,
  { id, isGivenUp, now }: AwaitedPayment,
): Promise<AwaitedStep | undefined> {
  const storing = await read(async (work) => {
    const row = await work.find(resources.payment_method, id)
    return row && row.pending_store !== null ? await storingOf(work, gateways, row) : undefined
  })
  if (!storing) return undefined
  const answer = await settle(write, storing, { now, isGivenUp })
  if (typeof answer === 'string' || answer.result !== 'action') return undefined
  return { action: answer, fields: await fieldsFor(storing.gateway, storing.operation.merchant, answer) }
}

async function storingOf(
  work: Work,
  gateways: Gateways,
  row: PaymentMethodRow,
): Promise<Storing | undefined> {
  const gateway = await gateways.forStatus(work, { gateway: row.token_gateway })
  if (!gateway) return undefined
  const { next_action__expires_at: end } = row
  return {
    gateway,
    operation: storeOperation(work, row, undefined),
    since: timeOfId(row.id),
    isOver: end !== null && end <= work.now,
  }
}

/**
 * Records the outcome of storing a method. A method that is given up is not cancelled at the gateway, because no money
 * can move by it.
 */
async function settle(
  write: WorkRunner['write'],
  { gateway, operation, since, isOver }: Storing,
  { now, isGivenUp }: Pick<AwaitedPayment, 'now' | 'isGivenUp'>,
): Promise<FoundOutcome> {
  const { reference } = operation
  const answer = await answerAbout(gateway, operation, since)
  if (answer === 'cannot_say') return answer
  const isTooEarly = answer === 'never_seen' && now - since < gateway.capabilities.horizon
  if (isTooEarly) return answer
  const isLeft = typeof answer === 'object' && answer.result === 'action' && (isOver || isGivenUp)
  if (isLeft) await write((work) => giveUpStoring(work, reference))
  else await write((work) => recordStored(work, reference, answer))
  return isLeft ? 'never_seen' : answer
}

async function answerAbout(
  gateway: RemoteGateway,
  operation: StoreOperation,
  since: number,
): Promise<FoundOutcome> {
  try {
    return (await gateway.findStored?.(operation, { since })) ?? 'cannot_say'
  } catch {
    return 'cannot_say'
  }
}
