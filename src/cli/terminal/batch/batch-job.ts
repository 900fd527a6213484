import type { BatchKind } from '../../../schema/batch-kind.js'
import type { DateOrder } from '../input/date-order.js'
import type { Encoding } from '../input/decode.js'

/**
 * Options for reading a file, named like their flags. They are stored with the batch, so that resuming
 * reads the file in the same way.
 */
export interface FileOptions {
  readonly map?: readonly string[] | undefined
  readonly format?: 'csv' | 'ndjson' | undefined
  readonly encoding?: Encoding | undefined
  readonly delimiter?: string | undefined
  /** The character before decimals; by default, it is detected from the whole file. */
  readonly decimal?: '.' | ',' | undefined
  /** Order of day and month; by default, it is detected for each column. */
  readonly dates?: DateOrder | undefined
  /** Whether rows that are equal to an earlier one are left out. */
  readonly 'skip-duplicates'?: true | undefined
  /** Whether an empty cell clears its attribute. */
  readonly 'clear-blanks'?: true | undefined
}

/** Pace of sending, and conditions for stopping; named like their flags. */
export interface BatchPace {
  readonly concurrency: number
  readonly 'max-failures'?: number | undefined
  readonly 'stop-on-error': boolean
}

/** A batch to run, as requested. */
export interface RequestedBatch {
  /** A path, or `-` for standard input. */
  readonly from: string
  /** Name of the batch; by default, the name of the file. */
  readonly batchId: string | undefined
  /** Name of the kind of rows. With `update`, the ids in the file determine which kind of objects is changed. */
  readonly as: string
  readonly options: FileOptions
  /** Column that identifies rows; by default, their content identifies them. */
  readonly key: string | undefined
  /** Whether to send the new rows of a finished batch whose file has changed. */
  readonly goOn: boolean
  /** Whether edited rows without a key may be sent again. */
  readonly redoEdited: boolean
  readonly pace: BatchPace
  /** Folder for result files; by default the folder of the input file. */
  readonly out: string | undefined
  /** Whether result files are written with `safeCell`, so that spreadsheets run no text as a formula. */
  readonly isSafe: boolean
}

/** A batch whose kind of rows is known. */
export interface BatchJob extends RequestedBatch {
  readonly kind: BatchKind
}
