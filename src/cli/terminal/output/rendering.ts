import type { JsonObject } from '../../../schema/json.js'
import type { AnswerSchema } from '../input/shape.js'
import type { Format } from './format.js'
import type { Look } from './look.js'

/** Options for showing an answer. */
export interface Rendering {
  readonly format: Format
  readonly shape: AnswerSchema
  readonly look: Look
  /** Whether cells of CSV are written with `safeCell`, so that spreadsheets take no text as a formula. */
  readonly isSafe?: boolean | undefined
  /** An expression of jq whose results are shown instead of the answer. */
  readonly jq?: string | undefined
  /** Requested attributes, in order: the columns. */
  readonly requested?: readonly string[] | undefined
}

/** Formats a list page by page; one page is in memory at a time. */
export interface ListText {
  page(values: readonly JsonObject[]): string
  end(): string
}
