import { Occurrences } from './occurrences.js'
import type { BatchRow } from './read-row.js'
import type { RowOutcome } from './result-files.js'
import { type BatchSending, type CountedRow, sendLot } from './send-lot.js'

/** The most rows of one request. */
const BATCH_SIZE = 100

export interface Pace {
  /** How many rows may be on their way at a time. */
  readonly concurrency: number
  /** Whether to send no more; what is on its way is waited for. */
  stop(): boolean
}

/** A row and what became of it. */
export interface SentRow {
  readonly row: BatchRow
  readonly outcome: RowOutcome
}

/**
 * Sends rows in their order, several lots at a time, and tells of each in that order. However many there are, only
 * those on their way are held. When sending fails, what came before it has been told.
 */
export async function* sendAll(
  sending: BatchSending,
  rows: AsyncIterable<BatchRow>,
  { concurrency, stop }: Pace,
): AsyncIterable<readonly SentRow[]> {
  const most = Math.max(1, Math.floor(concurrency / BATCH_SIZE))
  const underway: Promise<readonly SentRow[] | Failure>[] = []
  for await (const lot of lotsOf(rows, Math.min(concurrency, BATCH_SIZE))) {
    if (stop()) break
    underway.push(sent(sending, lot))
    if (underway.length >= most) yield* answered(underway.shift())
  }
  while (underway.length > 0) yield* answered(underway.shift())
}

/** Thrown in its turn, after what came before it. */
class Failure {
  constructor(readonly reason: unknown) {}
}

async function sent(
  sending: BatchSending,
  lot: readonly CountedRow[],
): Promise<readonly SentRow[] | Failure> {
  try {
    const outcomes = await sendLot(sending, lot)
    return lot.flatMap((row, index) => {
      const outcome = outcomes[index]
      return outcome ? [{ row, outcome }] : []
    })
  } catch (error) {
    return new Failure(error)
  }
}

async function* answered(
  lot: Promise<readonly SentRow[] | Failure> | undefined,
): AsyncIterable<readonly SentRow[]> {
  const rows = await lot
  if (rows instanceof Failure) throw rows.reason
  if (rows) yield rows
}

async function* lotsOf(rows: AsyncIterable<BatchRow>, size: number): AsyncIterable<readonly CountedRow[]> {
  const occurrences = new Occurrences()
  let lot: CountedRow[] = []
  for await (const row of rows) {
    lot.push({ ...row, occurrence: occurrences.next(row.body) })
    if (lot.length < size) continue
    yield lot
    lot = []
  }
  if (lot.length > 0) yield lot
}
