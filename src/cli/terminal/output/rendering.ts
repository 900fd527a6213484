import type { JsonObject } from '../../../schema/json.js'
import type { AnswerSchema } from '../input/shape.js'
import type { Format } from './format.js'
import type { Look } from './look.js'

/** How an answer is shown. */
export interface Rendering {
  readonly format: Format
  readonly shape: AnswerSchema
  readonly look: Look
  /** Whether cells of CSV are written by `safeCell`, so that no text is a formula to a spreadsheet. */
  readonly isSafe?: boolean | undefined
  /** An expression of jq whose results are shown instead. */
  readonly jq?: string | undefined
  /** The named attributes, in order: they are the columns. */
  readonly requested?: readonly string[] | undefined
}

/** Formats a list page by page; holds one page at a time. */
export interface ListText {
  page(values: readonly JsonObject[]): string
  end(): string
}
