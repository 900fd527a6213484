import { availableParallelism } from 'node:os'
import type { ListReader } from '../../engine/core/read/list-reader.js'
import { LIST_TOO_SLOW, unavailable } from '../../engine/core/request/api-error.js'
import { type ApiRequest, type ApiResponse, WrittenAnswer } from '../../engine/core/request/request.js'
import type { Environment } from '../../engine/store/database/store.js'
import { systemTimers } from '../../platform/clock.js'
import { NoThread, ThreadPool } from '../../platform/thread-pool.js'
import type { ReadAnswer, ReadRequest, ReadThreadSettings } from './read-request.js'

export interface ListThreadsOptions {
  /** The bundle of `read-thread.ts`. */
  readonly file: string
  readonly threads: number
  readonly settings: () => ReadThreadSettings
  readonly report: (error: unknown) => void
}

/** Maximum number of lists that wait for a thread. */
const MAX_WAITING = 512
/** Milliseconds after which reading a list is ended with an error. */
const TIME_LIMIT = 30_000

/** Default number of threads: one CPU core is left free; at least 1, at most 4. */
export function usualListThreads(): number {
  return Math.min(Math.max(availableParallelism() - 1, 1), 4)
}

/** Reads lists on threads, each with connections of its own to the files of a home. */
export class ListThreads implements ListReader {
  private readonly pool: ThreadPool<ReadRequest, ReadAnswer>

  constructor(private readonly options: ListThreadsOptions) {
    this.pool = new ThreadPool({
      file: options.file,
      workerData: options.settings,
      threads: options.threads,
      maxWaiting: MAX_WAITING,
      timeLimit: TIME_LIMIT,
      timers: systemTimers,
    })
  }

  /** Throws `ServiceUnavailable` if too many lists are being read, or if reading this list takes too long. */
  async read(environment: Environment, { isAwaited, ...request }: ApiRequest): Promise<ApiResponse> {
    const { status, headers, text, causes } = await this.pool
      .run({ environment, request }, isAwaited)
      .catch((error: unknown) => {
        throw error instanceof NoThread ? explained(error) : error
      })
    for (const cause of causes) this.options.report(cause)
    return new WrittenAnswer(text, headers, status)
  }

  close(): Promise<void> {
    return this.pool.close()
  }
}

function explained({ reason }: NoThread): Error {
  switch (reason) {
    case 'full':
      return unavailable('Too many lists are read at the same time', 1)
    case 'closed':
      return unavailable('The service stops', 5)
    case 'late':
      return unavailable(LIST_TOO_SLOW, 5)
  }
}
