import { parseMoney } from '../../schema/money.js'
import { type Input, isTree } from '../../schema/types.js'
import type { Avs, FoundOutcome, GatewayOperation } from '../contract.js'

/** The fields of a peer's transaction that are read. */
export interface PeerTransaction {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly statusCode: string | undefined
  readonly fundingStatus: string | undefined
  readonly amount: number
  readonly avs: Avs | undefined
  readonly reference: string | undefined
}

const AVS: readonly Avs[] = ['no_match', 'street_and_zip', 'street', 'zip', 'unknown']

/** Reads a transaction; undefined when the value is none. */
export function peerTransaction(value: unknown): PeerTransaction | undefined {
  if (!isTree(value)) return undefined
  const { id, type, status, amount } = value
  const minor = typeof amount === 'number' || typeof amount === 'string' ? parseMoney(amount) : undefined
  if (typeof id !== 'string' || typeof type !== 'string' || typeof status !== 'string' || minor === undefined)
    return undefined
  return {
    id,
    type,
    status,
    amount: minor,
    statusCode: textIn(value, 'status_code'),
    fundingStatus: textIn(value, 'funding_status'),
    avs: AVS.find((each) => each === value.avs),
    reference: isTree(value.attrs) ? textIn(value.attrs, 'reference') : undefined,
  }
}

/** Outcome of the operation that made a transaction. */
export function outcomeOf(
  transaction: PeerTransaction,
  type: GatewayOperation['type'],
): Exclude<FoundOutcome, string> {
  const { id, status, statusCode, amount, avs } = transaction
  const known = { gatewayId: id, code: statusCode ?? null, avs: avs ?? null }
  switch (status) {
    case 'declined':
      return { ...known, result: 'declined', statusCode: statusCode ?? 'declined' }
    case 'processing':
      return { ...known, result: 'pending' }
    case 'authorized':
      // A sale that is only authorized is held for review there.
      return type === 'authorize' ? { ...known, result: 'approved', amount } : { ...known, result: 'pending' }
    default:
      // It was processed, regardless of later changes.
      return { ...known, result: 'approved', amount }
  }
}

/** Outcome of a capture or a void, by the payment's current state; if that is unchanged, it was never seen. */
export function outcomeOn(payment: PeerTransaction, type: 'capture' | 'void'): FoundOutcome {
  const { id, status, statusCode, amount } = payment
  const approved = { result: 'approved', gatewayId: id, amount } as const
  if (type === 'void') return status === 'voided' ? approved : 'never_seen'
  switch (status) {
    case 'authorized':
      return 'never_seen'
    case 'declined':
    case 'voided':
      return { result: 'declined', gatewayId: id, statusCode: statusCode ?? 'declined' }
    case 'processing':
      return { result: 'pending', gatewayId: id }
    default:
      return approved
  }
}

function textIn(tree: Input, name: string): string | undefined {
  const value = tree[name]
  return typeof value === 'string' ? value : undefined
}
