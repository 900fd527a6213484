import type { QueryPair } from '../../../engine/core/request/request.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import { type Role, reaches } from '../../../schema/role.js'
import type { Html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { type ConsoleAnswer, type ConsoleRequest, consoleAddress } from '../console-page.js'
import { actionLink } from '../elements/list-html.js'
import type { ListOptions } from '../lists/list-options.js'
import { parseListQuery } from '../lists/list-query.js'
import type { ConsoleWrite } from '../write/console-write.js'

/** All pages of a resource, as plain data: its list, the page of an object, and the writes that both offer. */
export interface ResourcePages {
  /** Name of the resource. */
  readonly resource: string
  /** Segments of the list below the environment; the id of an object follows. */
  readonly at: readonly string[]
  readonly list: ResourceList
  /** The page of an object; derived from the declaration unless given. */
  readonly object?: ObjectPage
  readonly writes?: readonly ConsoleWrite[]
}

/** The list of a resource. */
export interface ResourceList extends Omit<ListOptions, 'resource' | 'actions' | 'above'> {
  /** Its heading in the link back from an object, if that is shorter. */
  readonly trail?: string
  /** Links to related pages. */
  readonly links?: readonly PageLink[]
  /** Filters and order of a page without a query, and a text for when no object matches them. */
  readonly first?: { readonly query: readonly QueryPair[]; readonly unmatched: string }
  /** The part between the heading and the table. */
  readonly above?: (request: ConsoleRequest) => Promise<Html>
}

/** A link to another page, beside a heading. */
export interface PageLink {
  readonly label: string
  readonly path: readonly string[]
  readonly query?: readonly QueryPair[]
  /** Whether the page takes the filters of the list. */
  readonly isFiltered?: true
  /** The least role that may open the page; any unless given. */
  readonly least?: Role
}

/** A visit to the page of an object. */
export interface ObjectVisit {
  readonly request: ConsoleRequest
  readonly resource: ResourceModel
  readonly id: string
  /** The list that the object's page leads back to. */
  readonly list: { readonly heading: string; readonly path: readonly string[] }
  readonly writes: readonly ConsoleWrite[]
}

export type ObjectPage = (visit: ObjectVisit) => Promise<ConsoleAnswer>

/** Links to pages that the visitor's role may open. */
export function pageLinks({ visitor, query }: ConsoleRequest, links: readonly PageLink[]): readonly Html[] {
  const { environment, principal } = visitor
  return links
    .filter(({ least = 'viewer' }) => reaches(principal.role ?? 'owner', least))
    .map(({ label, path, query: own = [], isFiltered }) => {
      const pairs = isFiltered ? parseListQuery(query).filters : own
      return actionLink(pageAddress(consoleAddress(environment, path, pairs)), label)
    })
}
