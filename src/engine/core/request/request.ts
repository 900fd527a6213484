import type { Json, JsonObject } from '../../../schema/json.js'
import type { Method } from '../../../schema/resource.js'
import type { Principal } from './principal.js'

/** Request that an adapter (HTTP, command line, console) hands to the core. */
export interface ApiRequest {
  readonly method: Method
  /** Path such as `/transactions/txn_…/ledger`; a trailing slash has no meaning. */
  readonly path: string
  /** Query pairs in the written order: names in bracket form, values with their operators. */
  readonly query?: readonly QueryPair[]
  /** Undefined if the request has no body. */
  readonly body?: Json
  readonly principal: Principal
  /** Adapter that received the request; `terminal` by default. */
  readonly through?: Adapter
  /** Id of the request in the log. */
  readonly requestId?: string
  readonly idempotencyKey?: string
  /** Whether the answer only shows what would happen, and every change is rolled back. */
  readonly dryRun?: boolean
  /** Object that the client saw before. If it has changed since, the write is refused. */
  readonly seen?: SeenObject
  /** Reason that a person gives for the request, kept with the activity. */
  readonly reason?: string
  /** Whether all matches of a list are counted, for `X-Total-Count`. */
  readonly count?: boolean
  /**
   * Whether comparisons with masked numbers in the filters were already counted, by the thread that handed
   * the request over.
   */
  readonly numbersCounted?: boolean
  /** Whether a client still waits for the answer; true by default. */
  readonly isAwaited?: () => boolean
}

/** Object that a client saw before its write. */
export interface SeenObject {
  /** Path such as `/transactions/txn_…`. */
  readonly path: string
  /**
   * Version that the client saw, from the answer to a dry run; omitted in a dry run that asks for the
   * version.
   */
  readonly version?: string
}

/** Adapters through which requests reach the core. */
export type Adapter = 'terminal' | 'http' | 'console' | 'page' | 'job'

export type QueryPair = readonly [name: string, value: string]

export interface ApiResponse {
  readonly status: number
  readonly body: JsonObject
  /** The body as JSON text, if it was already serialized. */
  readonly text?: string
  /** Headers such as `Link`, `X-Total-Count`, `Idempotent-Replay`, `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>
  /** Version of the object in the request's `seen`, as it was before the write. */
  readonly version?: string | undefined
}

/**
 * Answer whose body is already JSON text. The text is parsed only when `body` is read, so sending the
 * answer costs no parsing. A copy (`{ ...answer }`) has no body.
 */
export class WrittenAnswer implements ApiResponse {
  #body: JsonObject | undefined

  constructor(
    readonly text: string,
    readonly headers: ApiResponse['headers'] = {},
    readonly status = 200,
    readonly version?: string,
  ) {}

  get body(): JsonObject {
    this.#body ??= JSON.parse(this.text)
    return this.#body ?? {}
  }
}
