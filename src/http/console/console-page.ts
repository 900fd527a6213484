import type { Readable } from 'node:stream'
import type { App } from '../../app.js'
import type { Core } from '../../engine/core/core.js'
import type { Principal } from '../../engine/core/request/principal.js'
import type { ApiRequest, ApiResponse, QueryPair } from '../../engine/core/request/request.js'
import type { Environment } from '../../engine/store/database/store.js'
import type { Method } from '../../schema/resource.js'
import type { Html } from '../html/html.js'

/** An operator who is signed in to an environment of the console. */
export interface Visitor {
  readonly app: App
  readonly environment: Environment
  readonly core: Core
  /** An operator, with the role that they have now. */
  readonly principal: Principal
  readonly session: VisitorSession
  /** The operator's name, for the header. */
  readonly name: string
  /** Time zone in which days begin and times are shown, as `America/New_York`. */
  readonly zone: string
  /** The value of the hidden field that each form of this session has. */
  readonly formToken: string
}

export interface VisitorSession {
  readonly id: string
  /** When the operator last proved who they are, in milliseconds. */
  readonly confirmedAt: number
  /** Whether the last proof is recent enough for changes that require a new proof; see `expectConfirmed`. */
  readonly isConfirmed: boolean
  readonly proof: 'code' | 'password' | 'second_factor'
}

/** A request for a page by an operator who is signed in. */
export interface ConsoleRequest {
  readonly visitor: Visitor
  /** Id of this request in the log. */
  readonly id: string
  /** Decoded segments after `/console/{environment}/`; none for the home page. */
  readonly path: readonly string[]
  readonly query: readonly QueryPair[]
  /** Fields of a posted form that passed the checks of its token and origin; undefined for GET. */
  readonly form?: ReadonlyMap<string, string>
  /** Files of a posted form, as `data:` URLs by their fields. */
  readonly files?: ReadonlyMap<string, string>
  /** Sends a request to the core on behalf of the visitor. */
  ask(method: Method, path: string, more?: AskOptions): Promise<ApiResponse>
}

export type AskOptions = Pick<
  ApiRequest,
  'query' | 'body' | 'idempotencyKey' | 'dryRun' | 'count' | 'seen' | 'reason'
>

/** Command and path that return the data of a page; the frame shows both below the page. */
export interface Elsewhere {
  /** A command, as `payctl transactions list --where status=declined`. */
  readonly command?: string
  /** A path of the API with its query, as `/transactions?status=declined`. */
  readonly path?: string
}

/** A page's answer to a request; the router sends pages inside the frame. */
export type ConsoleAnswer =
  | {
      readonly kind: 'page'
      /** Plain text, for the title of the window; the body has its own `h1`. */
      readonly title: string
      readonly body: Html
      /** 200 unless given. */
      readonly status?: number
      readonly elsewhere?: Elsewhere
    }
  /** Redirects, also after a posted form, to a path on this origin. */
  | { readonly kind: 'see'; readonly address: string }
  | {
      readonly kind: 'file'
      readonly name: string
      /** Content type. */
      readonly type: string
      readonly content: string | Readable
    }
  /** The error that the core answered, as a page with its status. */
  | { readonly kind: 'refused'; readonly answer: ApiResponse }
  /** 404: there is no such page or object. */
  | { readonly kind: 'missing' }

export interface ConsolePage {
  /**
   * Whether the page answers a path below `/console/{environment}/`; of several pages, the first in the list answers.
   */
  readonly matches: (path: readonly string[]) => boolean
  readonly get: (request: ConsoleRequest) => Promise<ConsoleAnswer>
  /** Answers a posted form; without this function the answer is 405. */
  readonly post?: (request: ConsoleRequest) => Promise<ConsoleAnswer>
}

/** The address of a page of the console on this origin. */
export function consoleAddress(
  environment: Environment,
  path: readonly string[],
  query: readonly QueryPair[] = [],
): string {
  const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
  const address = `/console/${environment}/${path.map(encodeURIComponent).join('/')}`
  return search === '' ? address : `${address}?${search}`
}
