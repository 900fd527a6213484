import { type Input, isTree } from '../../schema/types.js'
import type { Credentials, Located } from '../contract.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { type AuthorizeNetApi, textIn, treesIn } from './authorizenet-api.js'
import { phaseOf } from './authorizenet-transaction.js'

/** A batch of transactions that the processor has settled or tried to settle. */
export interface SettledBatch {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly settledAt: number
  readonly isSettled: boolean
  /** Whether the batch is known to hold card payments. Payments by bank account are in separate batches. */
  readonly isOfCards: boolean
}

/** Milliseconds since 1970. */
interface Span {
  readonly from: number
  readonly to: number
}

/** Message code of an answer whose list is empty. */
const NO_RECORDS = 'I00004'
/** Maximal entries in a page. */
const PAGE = 1_000
/** Oldest first, so that new entries appear at the end. */
const SORTING = { orderBy: 'submitTimeUTC', orderDescending: 'false' }
const DAY = 86_400_000
/** Maximal span of time in one query of batches. */
const SPAN = 31 * DAY

/** Lists of an account; each is read to its end. */
export interface AuthorizeNetLists {
  /**
   * Transactions that are not settled yet, including declined ones; undefined if the list changed while it was read.
   */
  unsettled(credentials: Credentials): Promise<readonly Input[] | undefined>
  /** Transactions of a batch; undefined if the list changed while it was read. */
  inBatch(batchId: string, credentials: Credentials): Promise<readonly Input[] | undefined>
  /**
   * Finds transactions by their invoice numbers: first among the unsettled transactions, then in batches
   * settled in `time`. A declined transaction counts only if no other has the number. Each list is read once.
   */
  locate(
    invoices: readonly string[],
    time: Span,
    credentials: Credentials,
  ): Promise<ReadonlyMap<string, Located>>
  /**
   * Batches that were settled in a span of any length, oldest first. Throws `UnknownOutcome` for an answer without a
   * list.
   */
  batches(time: Span, credentials: Credentials): Promise<readonly SettledBatch[]>
}

/** Reads lists page by page, and batches in spans of at most 31 days. */
export function authorizeNetLists(api: AuthorizeNetApi): AuthorizeNetLists {
  const pages = async (
    name: string,
    fields: Input,
    credentials: Credentials,
  ): Promise<readonly Input[] | undefined> => {
    const byId = new Map<string, Input>()
    let total = 0
    let isLast = false
    for (let offset = 1; !isLast; offset++) {
      // Authorize.Net's `offset` is the number of the page, beginning with 1.
      const paging = { limit: String(PAGE), offset: String(offset) }
      const body = await api.ask(name, { ...fields, sorting: SORTING, paging }, credentials)
      const page = treesIn(body.transactions, 'transaction')
      const known = byId.size
      for (const row of page) byId.set(textIn(row, 'transId') ?? '', row)
      const count = totalIn(body, page, byId.size)
      // Entries have left the list, so other entries may have moved to pages that were already read.
      if (count < total) return undefined
      total = count
      // Also stop at a page without a new entry: the endpoint repeats pages.
      isLast = page.length < PAGE || byId.size === known
    }
    return byId.size < total ? undefined : [...byId.values()]
  }

  const lists: AuthorizeNetLists = {
    unsettled: (credentials) => pages('getUnsettledTransactionListRequest', { status: 'any' }, credentials),
    inBatch: (batchId, credentials) => pages('getTransactionListRequest', { batchId }, credentials),
    async locate(invoices, time, credentials) {
      const open = new Set(invoices)
      const located = new Map<string, Located>()
      const isWhole = (rows: readonly Input[] | undefined): boolean => {
        for (const [invoice, gatewayId] of idsOf(rows ?? [], open)) {
          located.set(invoice, { gatewayId })
          open.delete(invoice)
        }
        return rows !== undefined
      }
      let areWhole = isWhole(await lists.unsettled(credentials))
      // A transaction that is no longer unsettled may be in a batch.
      const batches = open.size > 0 && areWhole ? await lists.batches(time, credentials) : []
      for (const { id } of batches)
        if (open.size > 0 && areWhole) areWhole = isWhole(await lists.inBatch(id, credentials))
      for (const invoice of open) located.set(invoice, areWhole ? 'never_seen' : 'cannot_say')
      return located
    },
    async batches({ from, to }, credentials) {
      const found = new Map<string, SettledBatch>()
      // Times are sent in whole seconds. Round up, so that the current second is included.
      const end = Math.ceil(to / 1000) * 1000
      for (let first = Math.floor(from / 1000) * 1000; first < end; first += SPAN) {
        const last = Math.min(first + SPAN, end)
        const body = await api.ask(
          'getSettledBatchListRequest',
          {
            includeStatistics: 'false',
            firstSettlementDate: timeOf(first),
            lastSettlementDate: timeOf(last),
          },
          credentials,
        )
        const listed = treesIn(body.batchList, 'batch')
        if (listed.length === 0 && !isEmpty(body)) throw new UnknownOutcome('The answer holds no list')
        for (const batch of listed.map(batchOf)) found.set(batch.id, batch)
      }
      return [...found.values()].toSorted((one, other) => one.settledAt - other.settledAt)
    },
  }
  return lists
}

/**
 * Total number of entries in a list, as reported, otherwise `known`. Throws `UnknownOutcome` for an answer
 * without a list, because a searched transaction would otherwise count as never seen.
 */
function totalIn(body: Input, page: readonly Input[], known: number): number {
  const total = Number(textIn(body, 'totalNumInResultSet') ?? known)
  const isList = page.length > 0 || known > 0 || isEmpty(body)
  if (isList && Number.isSafeInteger(total) && total >= 0) return total
  throw new UnknownOutcome('The answer holds no list')
}

/** Whether an answer says that there are no records. */
function isEmpty(body: Input): boolean {
  const { messages } = body
  const [message] = isTree(messages) ? treesIn(messages.message, 'message') : []
  return textIn(body, 'totalNumInResultSet') === '0' || textIn(message, 'code') === NO_RECORDS
}

/** Ids of transactions, by invoice number. A declined transaction counts only if no other has the number. */
function idsOf(rows: readonly Input[], invoices: ReadonlySet<string>): ReadonlyMap<string, string> {
  const ids = new Map<string, string>()
  const named = rows.filter((row) => invoices.has(textIn(row, 'invoiceNumber') ?? ''))
  const isDeclined = (row: Input) => phaseOf(textIn(row, 'transactionStatus')) === 'declined'
  for (const row of [...named.filter((each) => !isDeclined(each)), ...named.filter(isDeclined)]) {
    const invoice = textIn(row, 'invoiceNumber')
    const id = textIn(row, 'transId')
    if (invoice !== undefined && id !== undefined && !ids.has(invoice)) ids.set(invoice, id)
  }
  return ids
}

function batchOf(tree: Input): SettledBatch {
  const settledAt = Date.parse(textIn(tree, 'settlementTimeUTC') ?? '')
  return {
    id: textIn(tree, 'batchId') ?? '',
    settledAt,
    isSettled: textIn(tree, 'settlementState') === 'settledSuccessfully' && settledAt > 0,
    isOfCards: textIn(tree, 'paymentMethod') === 'creditCard',
  }
}

function timeOf(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}
