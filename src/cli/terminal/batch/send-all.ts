import { Occurrences } from './occurrences.js'
import { lengthOf } from './raw-rows.js'
import type { BatchRow } from './read-row.js'
import type { RowOutcome } from './result-files.js'
import { type BatchSending, type CountedRow, sendRows } from './send-rows.js'

/**
 * Maximum number of rows in one request, and maximum number of characters in one request. `serve` accepts four million
 * bytes.
 */
export const BATCH_SIZE = 100
const LONGEST_REQUEST = 500_000

export interface Pace {
  /** Limit of rows in flight. */
  readonly concurrency: number
  /** Whether to stop sending. Rows in flight are still awaited. */
  stop(): boolean
  /** Whether some rows are equal, so that rows must be counted by content. */
  readonly isRepeated: boolean
}

/** A row and its outcome. */
export interface SentRow {
  readonly row: BatchRow
  readonly outcome: RowOutcome
}

/**
 * Sends rows in their order, several requests at a time, and yields their outcomes in that order. Only rows in flight
 * are held in memory. If a request fails, the outcomes of earlier requests have been yielded.
 */
export async function* sendAll(
  sending: BatchSending,
  pages: AsyncIterable<readonly BatchRow[]>,
  { concurrency, stop, isRepeated }: Pace,
): AsyncIterable<readonly SentRow[]> {
  const most = Math.ceil(concurrency / BATCH_SIZE)
  const inFlight: Promise<readonly SentRow[] | Failure>[] = []
  for await (const batch of batchesOf(pages, { size: Math.floor(concurrency / most), isRepeated })) {
    if (stop()) break
    inFlight.push(sent(sending, batch))
    if (inFlight.length >= most) yield* settled(inFlight.shift())
  }
  while (inFlight.length > 0) yield* settled(inFlight.shift())
}

/** An error of a request, thrown after the outcomes of earlier requests were yielded. */
class Failure {
  constructor(readonly reason: unknown) {}
}

async function sent(
  sending: BatchSending,
  batch: readonly CountedRow[],
): Promise<readonly SentRow[] | Failure> {
  try {
    const outcomes = await sendRows(sending, batch)
    return batch.flatMap((row, index) => {
      const outcome = outcomes[index]
      return outcome ? [{ row, outcome }] : []
    })
  } catch (error) {
    return new Failure(error)
  }
}

async function* settled(
  batch: Promise<readonly SentRow[] | Failure> | undefined,
): AsyncIterable<readonly SentRow[]> {
  const rows = await batch
  if (rows instanceof Failure) throw rows.reason
  if (rows) yield rows
}

interface Grouping extends Pick<Pace, 'isRepeated'> {
  readonly size: number
}

/** Rows in groups of `size`, each row with its number among the rows of equal content. */
export async function* batchesOf(
  pages: AsyncIterable<readonly BatchRow[]>,
  { size, isRepeated }: Grouping,
): AsyncIterable<readonly CountedRow[]> {
  const occurrences = isRepeated ? new Occurrences() : undefined
  let batch: CountedRow[] = []
  let length = 0
  for await (const page of pages)
    for (const row of page) {
      batch.push({ ...row, occurrence: occurrences?.next(row.body) ?? 1 })
      length += lengthOf(row.raw.cells)
      if (batch.length < size && length < LONGEST_REQUEST) continue
      yield batch
      batch = []
      length = 0
    }
  if (batch.length > 0) yield batch
}
