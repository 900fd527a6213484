import { datetimeOf, isDatetime } from '../../schema/datetime.js'
import { type Input, isTree } from '../../schema/types.js'
import type { Credentials, GatewaySettlement, GatewaySettlementLine, Rail } from '../contract.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { entryIn, ledgerPath, moneyIn, type PeerEntry, wonBy } from './peer-ledger.js'
import { type PeerTransaction, peerTransaction } from './peer-transaction.js'

interface Reading {
  read(path: string, credentials: Credentials): Promise<Input>
}

/**
 * Maximum number of deposits and reversals that one call reads. `PAYOUTS` is the number that one call lists.
 */
const MAX_BATCHES = 20
const PAYOUTS = 200
const PAGE = 1_000

/**
 * The deposits and reversals of a peer as settlements, oldest first. Each ledger entry of a deposit is the amount due
 * for one payment. The payment's own ledger divides this amount into lines for the payment, its refunds and its
 * disputes. The fee of a deposit is a separate line. Reading stops before a deposit that is not complete.
 */
export function peerSettlements({ read }: Reading): Pick<Rail, 'settlements'> {
  const listed = async (path: string, credentials: Credentials): Promise<readonly Input[]> => {
    const { values } = await read(path, credentials)
    if (!Array.isArray(values) || !values.every(isTree)) throw new UnknownOutcome('The peer answers no list')
    return values
  }

  const ledgerOf = async (id: string, credentials: Credentials): Promise<readonly PeerEntry[]> => {
    const entries: PeerEntry[] = []
    for (let page: readonly PeerEntry[] | undefined; page === undefined || page.length === PAGE; ) {
      const path = ledgerPath(id, { limit: PAGE, offset: entries.length })
      page = (await listed(path, credentials)).map(entryIn)
      const [first] = page
      if (first && entries.some(({ id: known }) => known === first.id))
        throw new UnknownOutcome(`The ledger of ${id} does not advance: ${first.id} is listed again`)
      entries.push(...page)
    }
    return entries
  }

  const paymentOf = async (id: string, credentials: Credentials): Promise<PaidPayment> => {
    const found = peerTransaction(await read(`/transactions/${encodeURIComponent(id)}`, credentials))
    if (found?.id !== id) throw new UnknownOutcome(`The peer answers no transaction for ${id}`)
    const { amount, reference } = found
    return { id, amount, reference, entries: await ledgerOf(id, credentials) }
  }

  const settlementOf = async (
    payout: PeerTransaction,
    row: Input,
    credentials: Credentials,
  ): Promise<GatewaySettlement> => {
    const lines: GatewaySettlementLine[] = []
    const done = new Set<string>()
    for (const { assoc, type, amount } of await ledgerOf(payout.id, credentials)) {
      if (type !== 'payment') lines.push(lineOf(payout.id, { id: assoc, kind: 'refund', amount }))
      else if (!done.has(assoc)) lines.push(...linesOf(payout.id, await paymentOf(assoc, credentials)))
      done.add(assoc)
    }
    const fee = moneyIn(row, 'fee') ?? 0
    if (fee !== 0) lines.push({ id: `${payout.id} fee`, kind: 'fee', amount: 0, fee })
    const gross = lines.reduce((sum, line) => sum + line.amount, 0)
    const net = payout.type === 'deposit' ? payout.amount : -payout.amount
    if (gross - fee !== net)
      throw new UnknownOutcome(`The entries of ${payout.id} come to ${gross - fee}, and it moved ${net}`)
    const settledAt = timeOf(row)
    return { id: payout.id, settledAt, currency: 'USD', gross, fees: fee, net, lines }
  }

  return {
    async settlements(cursor, credentials, begin) {
      const [since = begin === undefined ? '' : datetimeOf(begin), ...seen] = cursor?.split('|') ?? []
      const filter = since === '' ? '' : `&created_at=${encodeURIComponent(`>=${since}`)}`
      const path = `/transactions?type=deposit|reversal&order_by=created_at,id&limit=${PAYOUTS}${filter}`
      const rows = (await listed(path, credentials)).filter(({ id }) => !seen.includes(String(id)))
      const batches: GatewaySettlement[] = []
      for (const row of rows.slice(0, MAX_BATCHES)) {
        const payout = peerTransaction(row)
        if (payout?.type !== 'deposit' && payout?.type !== 'reversal')
          throw new UnknownOutcome('The peer lists something else among its payouts')
        if (payout.status !== 'processed') break
        batches.push(await settlementOf(payout, row, credentials))
      }
      return { batches, cursor: cursorAfter(batches, cursor) }
    },
  }
}

/** Datetime of a payout. Throws `UnknownOutcome` if it is no datetime. */
function timeOf({ created_at: at }: Input): string {
  if (isDatetime(at)) return at
  throw new UnknownOutcome('The peer does not say when it paid')
}

/** Cursor after the payouts that were read: the time of the last one, and the ids of all read payouts of that time. */
function cursorAfter(batches: readonly GatewaySettlement[], cursor: string | null): string | null {
  const last = batches.at(-1)?.settledAt
  if (typeof last !== 'string') return cursor
  const [since, ...seen] = cursor?.split('|') ?? []
  const now = batches.filter(({ settledAt }) => settledAt === last).map(({ id }) => id)
  return [last, ...(since === last ? seen : []), ...now].join('|')
}

interface PaidPayment {
  readonly id: string
  readonly amount: number
  /** Reference of the client that requested the payment; undefined if the peer has none. */
  readonly reference: string | undefined
  readonly entries: readonly PeerEntry[]
}

/**
 * Settlement lines of a payment in a payout: the payment itself in its first payout, and its ledger entries
 * since the previous payout.
 */
function linesOf(payoutId: string, { id, amount, reference, entries }: PaidPayment): GatewaySettlementLine[] {
  const isPayout = ({ type }: PeerEntry) => type === 'deposit' || type === 'reversal'
  const at = entries.findIndex(({ assoc }) => assoc === payoutId)
  const before = entries.slice(0, at).findLastIndex(isPayout)
  const named = reference !== undefined && { reference }
  const first = before < 0 ? [{ ...lineOf(payoutId, { id, kind: 'payment', amount }), ...named }] : []
  const rest = entries.slice(before + 1, at).map((entry): GatewaySettlementLine => {
    const { assoc, type, amount: moved } = entry
    // The money of a refund that failed later returns with the same id, so the settlement line needs another
    // id.
    const lineId = type === 'refund' && moved > 0 ? `${assoc} back` : assoc
    const line = lineOf(payoutId, { id: lineId, kind: kindOf(type), amount: moved })
    // A won dispute has the id of its chargeback.
    return { ...line, gatewayId: wonBy(assoc, entries) ?? assoc, parentId: id }
  })
  return [...first, ...rest]
}

function lineOf(
  payoutId: string,
  {
    id,
    kind,
    amount,
  }: { readonly id: string; readonly kind: GatewaySettlementLine['kind']; readonly amount: number },
): GatewaySettlementLine {
  return { id: `${payoutId} ${id}`, kind, gatewayId: id, amount, fee: null }
}

function kindOf(type: string): GatewaySettlementLine['kind'] {
  return type === 'refund' || type === 'chargeback' || type === 'chargeback_reversal' ? type : 'other'
}
