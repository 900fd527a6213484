import type { QueryPair } from '../../../engine/core/request/request.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import type { JsonObject } from '../../../schema/json.js'
import type { ValueContext } from '../../views/console/value.js'
import type { Html } from '../../views/html.js'

/** A list of the console. */
export interface ListOptions {
  readonly resource: ResourceModel
  readonly heading: string
  readonly lead?: string
  /** Filters that the list always has, as `type=deposit`. */
  readonly preset?: readonly QueryPair[]
  /** Names of the columns; those of the declaration by default. */
  readonly columns?: readonly string[]
  /** Headings of columns that their names say badly. */
  readonly labels?: Readonly<Record<string, string>>
  /** Content of the cells of columns that show more than their value. */
  readonly cells?: Readonly<Record<string, (row: JsonObject, context: ValueContext) => Html | undefined>>
  /** Attributes that these cells need besides the columns. */
  readonly also?: readonly string[]
  /** Links beside the heading. */
  readonly actions?: readonly Html[]
  /** Text for an empty list: its content if it had any, and a command that creates an object. */
  readonly empty?: { readonly what: string; readonly command?: string }
  /** Text for a list in which no object matches the filters. */
  readonly unmatched?: string
  /** Segments of an object's page; the page of the resource by default. */
  readonly pathOf?: (row: JsonObject) => readonly string[]
  /** Content between the heading and the table. */
  readonly above?: Html
}
