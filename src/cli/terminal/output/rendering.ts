import type { JsonObject } from '../../../schema/json.js'
import type { AnswerSchema } from '../input/shape.js'
import type { CsvStyle } from './csv.js'
import type { Format } from './format.js'
import type { Look } from './look.js'

/** Options for showing an answer. */
export interface Rendering {
  readonly format: Format
  readonly shape: AnswerSchema
  readonly look: Look
  /** Style of CSV. */
  readonly csv?: CsvStyle | undefined
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
