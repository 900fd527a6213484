import type { Json, JsonObject } from '../../../schema/json.js'
import type { Method } from '../../../schema/resource.js'
import type { Principal } from './principal.js'

/** What both adapters (HTTP and command line) hand to the core. */
export interface ApiRequest {
  readonly method: Method
  /** As in `/transactions/txn_…/ledger`; a trailing slash means nothing. */
  readonly path: string
  /** Names in the interface's bracket form, values with their operators, in the order they were written. */
  readonly query?: readonly QueryPair[]
  /** Undefined when the request has no body. */
  readonly body?: Json
  readonly principal: Principal
  /** The adapter; `terminal` unless given. */
  readonly through?: Adapter
  /** The request's id in the log. */
  readonly requestId?: string
  readonly idempotencyKey?: string
  /** Answers what would happen, writes nothing. */
  readonly dryRun?: boolean
  /** The object that the client has looked at: a change of it since then refuses the write. */
  readonly seen?: SeenObject
  /** Why a person makes it, in their words; kept with the activity. */
  readonly reason?: string
  /** Counts all matches of a list, in `X-Total-Count`. */
  readonly count?: boolean
  /** Whether the masked numbers in its filters were counted already, by the thread that handed it over. */
  readonly numbersCounted?: boolean
  /** Whether somebody still waits for the answer; yes unless given. */
  readonly isAwaited?: () => boolean
}

/** An object, as a client has seen it before it writes. */
export interface SeenObject {
  /** As in `/transactions/txn_…`. */
  readonly path: string
  /** Its version then, from the answer to a dry run; omitted in a dry run that is to find it out. */
  readonly version?: string
}

/** Ways into the core. */
export type Adapter = 'terminal' | 'http' | 'console' | 'page' | 'job'

export type QueryPair = readonly [name: string, value: string]

export interface ApiResponse {
  readonly status: number
  readonly body: JsonObject
  /** The body's JSON where it was written already. */
  readonly text?: string
  /** `Link`, `X-Total-Count`, `Idempotent-Replay`, `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>
  /** The version of the object that the request has `seen`, before the write. */
  readonly version?: string | undefined
}

/**
 * An answer whose body was written as JSON text, which is parsed for who looks at the body, and not for who sends it. A copy of it
 * (`{ ...answer }`) has no body.
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
