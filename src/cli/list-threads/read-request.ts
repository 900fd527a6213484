import type { AppOptions } from '../../app.js'
import type { ApiRequest, ApiResponse } from '../../engine/core/request/request.js'
import type { Environment } from '../../engine/store/database/store.js'

/** Start data of a thread: the databases to read, and the public address with which links in answers begin. */
export type ReadThreadSettings = Pick<AppOptions, 'home' | 'databaseUrl' | 'examines' | 'publicAddress'>

/** A request that reads, as sent to a thread. */
export interface ReadRequest {
  readonly environment: Environment
  readonly request: Omit<ApiRequest, 'isAwaited'>
}

/** An answer with its body as text. The thread writes the JSON, so that the process does not spend time on it. */
export interface ReadAnswer extends Pick<ApiResponse, 'status' | 'headers'> {
  readonly text: string
  /** Causes of an error in the answer, to be reported in the log. */
  readonly causes: readonly unknown[]
}
