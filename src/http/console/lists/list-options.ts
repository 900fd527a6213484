import type { QueryPair } from '../../../engine/core/request/request.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import type { JsonObject } from '../../../schema/json.js'
import type { Html } from '../../html/html.js'
import type { ValueContext } from '../elements/value.js'

/** A list of the console. */
export interface ListOptions {
  readonly resource: ResourceModel
  readonly heading: string
  readonly lead?: string
  /** Filters that the list always has, as `type=deposit`. */
  readonly preset?: readonly QueryPair[]
  /** Names of the columns; those of the declaration by default. */
  readonly columns?: readonly string[]
  /** Headings of columns whose names would be unclear. */
  readonly labels?: Readonly<Record<string, string>>
  /** Functions that write the cells of columns which show more than the value of their attribute. */
  readonly cells?: Readonly<Record<string, (row: JsonObject, context: ValueContext) => Html | undefined>>
  /** Attributes that these cells need besides the columns. */
  readonly also?: readonly string[]
  /** Links beside the heading. */
  readonly actions?: readonly Html[]
  /** Text for an empty list, and a command that creates an object: anywhere, or in the test environment only. */
  readonly empty?: { readonly what: string; readonly command?: string; readonly testCommand?: string }
  /** Text for a list in which no object matches the filters. */
  readonly unmatched?: string
  /** Path segments of an object's page; by default, the path of the resource's own page. */
  readonly pathOf?: (row: JsonObject) => readonly string[]
  /** Content between the heading and the table. */
  readonly above?: Html
}
