import { type Input, isTree } from '../../schema/types.js'
import type { Credentials, Located } from '../contract.js'
import { UnknownOutcome } from '../unknown-outcome.js'
import { type AuthorizeNetApi, textIn, treesIn } from './authorizenet-api.js'
import { phaseOf } from './authorizenet-transaction.js'

/** A batch that the processor has settled, or tried to. */
export interface SettledBatch {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly settledAt: number
  readonly isSettled: boolean
  /** Whether it has payments by card, if that is reported: those of bank accounts have batches of their own. */
  readonly isOfCards: boolean
}

/** Milliseconds since 1970. */
interface Span {
  readonly from: number
  readonly to: number
}

/** Code of the message of an empty list. */
const NO_RECORDS = 'I00004'
/** The longest page there is. */
const PAGE = 1_000
/** Oldest first, so that new entries appear at the end. */
const SORTING = { orderBy: 'submitTimeUTC', orderDescending: 'false' }
const DAY = 86_400_000
/** The longest span of batches that is answered at once. */
const SPAN = 31 * DAY

/** The lists of an account, each to its end. */
export interface AuthorizeNetLists {
  /**
   * Transactions that are not settled yet, declines included; undefined when the list has changed while it was read.
   */
  unsettled(credentials: Credentials): Promise<readonly Input[] | undefined>
  /** Transactions of a batch. */
  inBatch(batchId: string, credentials: Credentials): Promise<readonly Input[] | undefined>
  /**
   * Places of invoice numbers, declines last: among the unsettled transactions, then in batches. Each list is read
   * once.
   */
  locate(
    invoices: readonly string[],
    time: Span,
    credentials: Credentials,
  ): Promise<ReadonlyMap<string, Located>>
  /** The batches that were settled in a time of any length, oldest first. */
  batches(time: Span, credentials: Credentials): Promise<readonly SettledBatch[]>
}

/** Reads lists page by page, and batches span by span. */
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
      // `offset` is the number of the page.
      const paging = { limit: String(PAGE), offset: String(offset) }
      const body = await api.ask(name, { ...fields, sorting: SORTING, paging }, credentials)
      const page = treesIn(body.transactions, 'transaction')
      const known = byId.size
      for (const row of page) byId.set(textIn(row, 'transId') ?? '', row)
      const count = totalIn(body, page, byId.size)
      // Entries that leave the list move the rest to pages that were read already.
      if (count < total) return undefined
      total = count
      // A page without a new entry comes again: the list does not advance.
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
      // A transaction that was missing among the unsettled ones may be settled by now.
      const batches = open.size > 0 && areWhole ? await lists.batches(time, credentials) : []
      for (const { id } of batches)
        if (open.size > 0 && areWhole) areWhole = isWhole(await lists.inBatch(id, credentials))
      for (const invoice of open) located.set(invoice, areWhole ? 'never_seen' : 'cannot_say')
      return located
    },
    async batches({ from, to }, credentials) {
      const found = new Map<string, SettledBatch>()
      // Times are sent in whole seconds: the present one is listed, too.
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
 * Number of all entries of a list; that of the `known` ones where it is not reported. Throws `UnknownOutcome` for an answer that holds no list: what is looked for in it
 * would count as never seen.
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

/** Ids of transactions by their invoice numbers; a decline only where no other transaction has the number. */
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
