import type { JsonObject } from '../../../schema/json.js'
import type { Role } from '../../../schema/role.js'
import type { Html } from '../../html/html.js'
import type { ConsoleRequest } from '../console-page.js'

/** A list on the page of an object, as plain data. */
export interface RelatedList {
  readonly title: string
  /** Path of the API, where `:id` is the object's: `/customers/:id/payment_methods`. */
  readonly path: string
  /** Filters and order, where `:id` is the object's. */
  readonly query?: Readonly<Record<string, string>>
  /** Name of the resource that is listed. */
  readonly resource: string
  /** Attributes that are shown. */
  readonly columns: readonly string[]
  /** Text for an empty list, about the objects that would appear in it. */
  readonly empty: string
  /** Path segments of the offer that each row links to; `:row` is the row's id: `['logs', ':row', 'send']`. */
  readonly rowOffer?: readonly string[]
}

/** The page of one object, as plain data: its facts, the lists beside it, and the writes that it offers. */
export interface RecordPage {
  /** Segments of its list below the environment; the id follows. */
  readonly at: readonly string[]
  /** Heading of that list. */
  readonly title: string
  /** Name of the resource. */
  readonly resource: string
  /** Attributes of the facts, in their order. */
  readonly names: readonly string[]
  /** Attribute that is shown as heading; the id if it has no value. */
  readonly heading: string
  /** Attribute of the amount above the facts. */
  readonly sum?: string
  readonly lists: readonly RelatedList[]
  /** Pages below this page that are not offers; `last` is the last segment of the path. */
  readonly actions?: readonly { readonly last: string; readonly label: string; readonly least: Role }[]
  /** Attributes that are not shown by default, which `extra` reads. */
  readonly fields?: readonly string[]
  /** Content that only this page has, beside the facts. */
  readonly extra?: (request: ConsoleRequest, object: JsonObject) => Promise<Html | undefined>
}
