import type { BatchKind } from '../../../resources/batch-kinds.js'
import type { Encoding } from './decode.js'

/** Options for reading a file; stored with the batch, so that resuming reads the file in the same way. */
export interface FileOptions {
  readonly map?: readonly string[] | undefined
  readonly format?: 'csv' | 'ndjson' | undefined
  readonly encoding?: Encoding | undefined
  readonly delimiter?: string | undefined
  /** The character before the cents of amounts; a point by default. */
  readonly decimal?: '.' | ',' | undefined
}

/** Pace of sending, and conditions for stopping; named like their flags. */
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
  /** Column that identifies a row; by default, the whole content does. */
  readonly key: string | undefined
  /** Whether to continue a finished batch whose file has changed. */
  readonly goOn: boolean
  /** Whether edited rows without a key may be done again. */
  readonly redoEdited: boolean
  readonly pace: BatchPace
  /** Folder for result files; by default the folder of the input file. */
  readonly out: string | undefined
  /** Whether result files are written with `safeCell`, so that spreadsheets take no text as a formula. */
  readonly isSafe: boolean
}
