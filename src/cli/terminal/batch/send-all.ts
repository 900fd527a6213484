import { Occurrences } from './occurrences.js'
import type { BatchRow } from './read-row.js'
import type { RowOutcome } from './result-files.js'
import { type CountedRow, type Sending, sendLot } from './send-lot.js'

/** The most rows of one request. */
const LOT = 100

export interface Pace {
  /** How many rows may be on their way at a time. */
  readonly concurrency: number
  /** Whether to send no more; what is on its way is waited for. */
  stop(): boolean
}

/** A row and what became of it. */
export interface Sent {
  readonly row: BatchRow
  readonly outcome: RowOutcome
}

/**
 * Sends rows in their order, several lots at a time, and tells of each in that order. However many there are, only
 * those on their way are held. When sending fails, what came before it has been told.
 */
export async function* sendAll(
  sending: Sending,
  rows: AsyncIterable<BatchRow>,
  { concurrency, stop }: Pace,
): AsyncIterable<readonly Sent[]> {
  const most = Math.max(1, Math.floor(concurrency / LOT))
  const underway: Promise<readonly Sent[] | Failure>[] = []
  for await (const lot of lotsOf(rows, Math.min(concurrency, LOT))) {
    if (stop()) break
    underway.push(sent(sending, lot))
    if (underway.length >= most) yield* told(underway.shift())
  }
  while (underway.length > 0) yield* told(underway.shift())
}

/** Thrown in its turn, after what came before it. */
class Failure {
  constructor(readonly reason: unknown) {}
}

async function sent(sending: Sending, lot: readonly CountedRow[]): Promise<readonly Sent[] | Failure> {
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

async function* told(lot: Promise<readonly Sent[] | Failure> | undefined): AsyncIterable<readonly Sent[]> {
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
