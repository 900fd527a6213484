import type { BatchKind } from '../../../resources/batch-kinds.js'
import type { Encoding } from './decode.js'

/** How a file is read; stored with the batch, so that resuming reads it in the same way. */
export interface FileOptions {
  readonly map?: readonly string[] | undefined
  readonly format?: 'csv' | 'ndjson' | undefined
  readonly encoding?: Encoding | undefined
  readonly delimiter?: string | undefined
  /** The character before the cents of amounts; a point unless given. */
  readonly decimal?: '.' | ',' | undefined
}

/** How fast rows are sent, and when to stop; named like their flags. */
export interface BatchPace {
  readonly concurrency: number
  readonly 'max-failures'?: number | undefined
  readonly 'stop-on-error': boolean
}

/** A batch to run, as requested. */
export interface BatchJob {
  /** A path, or `-` for standard input. */
  readonly from: string
  /** The file's name by default. */
  readonly batchId: string | undefined
  readonly as: string
  readonly kind: BatchKind
  readonly options: FileOptions
  /** The column that identifies a row; its whole content unless given. */
  readonly key: string | undefined
  /** Whether to continue a finished batch whose file has changed. */
  readonly goOn: boolean
  /** Whether rows that were edited since they were done may be done again, as they have no key. */
  readonly redoEdited: boolean
  readonly pace: BatchPace
  /** The folder for result files; by default that of the file. */
  readonly out: string | undefined
  /** Whether result files are written by `safeCell`, so that no text is a formula to a spreadsheet. */
  readonly isSafe: boolean
}
