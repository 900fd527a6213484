import { type SqlBool, sql } from 'kysely'
import type { Work } from '../../../engine/core/write/work.js'
import { isAmong } from '../../../engine/store/database/differences.js'
import type { EventRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { pageEnd } from '../pass/pass.js'
import { Gathered, type Source } from './gathered.js'

/** Fees of the transactions in a deposit or a bill, in minor units. */
export interface Charged {
  readonly fee: number
  readonly accrued: number
  readonly convFee: number
}

type Tx = Work['tx']

/** Values of transactions, from rows that no index finds by transaction. */
export interface Unindexed {
  /** Last transaction that the values cover; undefined if all are covered. */
  readonly until: string | undefined
  /** Events of the transactions of a page. The page is in the order of ids, and so are the events. */
  events(tx: Tx, page: readonly string[]): Promise<EventRow[]>
  /** Fees charged by each of these deposits and bills. */
  charges(tx: Tx, batches: readonly string[]): Promise<ReadonlyMap<string, Charged>>
}

/** Reads whole tables for each page: exact, and slow. */
export const READ_EACH_TIME: Unindexed = {
  until: undefined,
  events: async ({ db }, page) => await eventsOf(db, page).orderBy('id').execute(),
  async charges({ db }, batches) {
    if (batches.length === 0) return new Map()
    return new Map(
      chargedOf(
        await sumsOf(db)
          .where('charged_by', 'in', [...batches])
          .execute(),
      ),
    )
  },
}

/** Number of rows in one read, and of transactions whose values are kept. */
export interface GatheringLimits {
  readonly stretch: number
  readonly mostKept: number
}

/** Usual limits, which need some 30 MB of memory. */
const USUAL: GatheringLimits = { stretch: 20_000, mostKept: 100_000 }

/** Reads whole tables once for very many transactions. Rows written during the pass may be missing. */
export class GatheredUnindexed implements Unindexed {
  private readonly distant: Gathered<readonly string[]>
  private readonly charged: Gathered<Charged>

  constructor({ stretch, mostKept }: GatheringLimits = USUAL) {
    this.distant = new Gathered(distantEvents(stretch), mostKept)
    this.charged = new Gathered(charges(stretch), mostKept)
  }

  get until(): string | undefined {
    const all = [this.distant.until, this.charged.until].filter((id) => id !== undefined)
    return all.sort()[0]
  }

  /** Reads some rows. Returns whether more must be read before the transactions after `after` are examined. */
  async readOn(work: Work, after: string): Promise<boolean> {
    return (await this.distant.readOn(work, after)) || (await this.charged.readOn(work, after))
  }

  async events({ db, dialect }: Tx, page: readonly string[]): Promise<EventRow[]> {
    const near = await nearEvents(db, page).execute()
    const distant = page.flatMap((id) => this.distant.of(id) ?? [])
    if (distant.length === 0) return near
    const ids = JSON.stringify(distant)
    const others = await eventsOf(db, page)
      .where((eb) => isAmong(dialect, eb.ref('id'), ids))
      .execute()
    return [...near, ...others].sort((one, other) => (one.id < other.id ? -1 : 1))
  }

  async charges(_tx: Tx, batches: readonly string[]): Promise<ReadonlyMap<string, Charged>> {
    return new Map(
      batches.flatMap((id) => {
        const charged = this.charged.of(id)
        return charged ? [[id, charged] as const] : []
      }),
    )
  }
}

/** Events of all transactions between the first and the last of a page, as the page omits none. */
function eventsOf(db: Tx['db'], page: readonly string[]) {
  return db
    .selectFrom('events')
    .selectAll()
    .where('object_id', '>=', page[0] ?? '')
    .where('object_id', '<=', page.at(-1) ?? '')
}

const EVENT = 'evt_'
const TRANSACTION = resources.transaction.prefix
/**
 * Digits of an id's time without the last two, which gives a unit of 3.8 seconds. Most events fall into the unit of
 * their transaction, and are found by it.
 */
const MOMENT_DIGITS = 6

function momentOf(id: string): string {
  return id.slice(TRANSACTION.length, TRANSACTION.length + MOMENT_DIGITS)
}

const isNear = sql<SqlBool>`substr(id, ${sql.lit(EVENT.length + 1)}, ${sql.lit(MOMENT_DIGITS)})
  = substr(object_id, ${sql.lit(TRANSACTION.length + 1)}, ${sql.lit(MOMENT_DIGITS)})`

/** Events of the same unit of time as their transactions, read along the ids of events. */
export function nearEvents(db: Tx['db'], page: readonly string[]) {
  const [first = '', last = ''] = [page[0], page.at(-1)]
  return eventsOf(db, page)
    .where('id', '>=', EVENT + momentOf(first))
    .where('id', '<=', `${EVENT}${momentOf(last)}~`)
    .where(isNear)
    .orderBy('id')
}

/** Ids of events outside the unit of time of their transaction. */
function distantEvents(stretch: number): Source<readonly string[]> {
  return {
    async read({ tx }, position, { after, until }) {
      const { last } = await pageEnd(tx, 'events', position, stretch)
      if (last === undefined) return { last, said: [] }
      const rows = await tx.db
        .selectFrom('events')
        .select(['id', 'object_id'])
        .where('id', '>', position)
        .where('id', '<=', last)
        .where('object_id', '>', after)
        .$if(until !== undefined, (query) => query.where('object_id', '<=', until ?? ''))
        .where(sql<SqlBool>`substr(object_id, 1, ${sql.lit(TRANSACTION.length)}) = ${TRANSACTION}`)
        .where(({ not }) => not(isNear))
        .execute()
      return { last, said: rows.map(({ id, object_id }) => [object_id, [id]]) }
    },
    merge: (one, other) => [...one, ...other],
  }
}

function charges(stretch: number): Source<Charged> {
  return {
    async read({ tx }, position, { after, until }) {
      const { last } = await pageEnd(tx, 'transactions', position, stretch)
      if (last === undefined) return { last, said: [] }
      const sums = await sumsOf(tx.db)
        .where('id', '>', position)
        .where('id', '<=', last)
        .where('charged_by', '>', after)
        .$if(until !== undefined, (query) => query.where('charged_by', '<=', until ?? ''))
        .execute()
      return { last, said: chargedOf(sums) }
    },
    merge: (one, other) => ({
      fee: one.fee + other.fee,
      accrued: one.accrued + other.accrued,
      convFee: one.convFee + other.convFee,
    }),
  }
}

function sumsOf(db: Tx['db']) {
  return db
    .selectFrom('transactions')
    .select((eb) => [
      'charged_by',
      eb.fn.sum<number>('fee').as('fee'),
      eb.fn.sum<number>('accrued_fee').as('accrued'),
      // The convenience fee of a chargeback was booked with the chargeback.
      eb.fn
        .sum<number>(eb.case().when('type', '=', 'payment').then(eb.ref('conv_fee')).else(0).end())
        .as('conv'),
    ])
    .groupBy('charged_by')
}

type Sums = Awaited<ReturnType<ReturnType<typeof sumsOf>['execute']>>

function chargedOf(sums: Sums): (readonly [string, Charged])[] {
  return sums.map(({ charged_by: id, fee, accrued, conv }) => [
    id ?? '',
    { fee: Number(fee), accrued: Number(accrued), convFee: Number(conv) },
  ])
}
