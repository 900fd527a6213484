import { owner } from '../../engine/core/request/principal.js'
import type { QueryPair } from '../../engine/core/request/request.js'
import type { Environment } from '../../engine/store/database/store.js'
import { systemTimers } from '../../platform/clock.js'
import { ThreadPool } from '../../platform/thread-pool.js'
import { adminOperations } from '../../resources/admin/admin-operations.js'
import type { JsonObject } from '../../schema/json.js'
import type { ReadAnswer, ReadRequest, ReadThreadSettings } from './read-request.js'

const { verify } = adminOperations
/** Milliseconds that a proof may take: a day. */
const TIME_LIMIT = 86_400_000

/** A part of a proof that is made on a thread. */
export interface ThreadedProof {
  readonly answer: Promise<JsonObject>
  /** Ends the thread, even if it still has work. */
  close(): Promise<void>
}

/** Proves the sealed books on a thread of its own. `file` is the bundle of `read-thread.ts`. */
export function verifyBooks(
  file: string,
  settings: ReadThreadSettings,
  environment: Environment,
  query: readonly QueryPair[],
): ThreadedProof {
  const pool = new ThreadPool<ReadRequest, ReadAnswer>({
    file,
    workerData: () => settings,
    threads: 1,
    maxWaiting: 1,
    timeLimit: TIME_LIMIT,
    timers: systemTimers,
  })
  const request = { method: verify.method, path: `/${verify.path}`, query, principal: owner }
  return {
    answer: pool.run({ environment, request }).then(bodyOf),
    close: () => pool.close(),
  }
}

function bodyOf({ status, text, causes }: ReadAnswer): JsonObject {
  if (status !== 200) throw causes[0] ?? new Error(text)
  const body: JsonObject = JSON.parse(text)
  return body
}
