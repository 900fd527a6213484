import type { BatchKind } from '../../../resources/batch-kinds.js'
import type { Encoding } from './decode.js'

/** How a file is read, kept with the batch so that it is read alike when it is resumed. */
export interface FileOptions {
  readonly map?: readonly string[] | undefined
  readonly format?: 'csv' | 'ndjson' | undefined
  readonly encoding?: Encoding | undefined
  readonly delimiter?: string | undefined
}

/** How fast rows are sent, and when to stop; flags of the same names. */
export interface BatchPace {
  readonly concurrency: number
  readonly 'max-failures'?: number | undefined
  readonly 'stop-on-error': boolean
}

/** A batch as it is asked for. */
export interface BatchJob {
  /** A path, or `-` for standard input. */
  readonly from: string
  /** The file's name unless given. */
  readonly batchId: string | undefined
  readonly as: string
  readonly kind: BatchKind
  readonly options: FileOptions
  /** Whether a finished batch whose file has changed is gone on with. */
  readonly goOn: boolean
  readonly pace: BatchPace
  /** The folder of what is written; that of the file unless given. */
  readonly out: string | undefined
  /** No text of what is written is a formula to a spreadsheet. */
  readonly isSafe: boolean
}
