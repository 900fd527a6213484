import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export interface LoadOptions {
  readonly port: number
  readonly connections: number
  readonly milliseconds: number
  /** Number of requests after which the load ends, if they are done before the duration is over. */
  readonly requests?: number
  /**
   * Requests per second over all connections. By default, each connection sends its next request after the previous
   * answer.
   */
  readonly rate?: number
  readonly method: 'GET' | 'POST'
  /** Paths of requests, used in turn. */
  readonly paths: readonly string[]
  readonly body?: string
  /** Whether POST requests have no `Idempotency-Key`. By default each has a different one. */
  readonly isUnkeyed?: boolean
  readonly headers: Readonly<Record<string, string>>
}

export interface LoadResult {
  /** Number of requests that were answered with 200. */
  readonly answered: number
  readonly failed: number
  readonly perSecond: number
  /** 99th percentile of the time until an answer, in milliseconds. */
  readonly p99: number
  /** The longest time until an answer, in milliseconds. */
  readonly slowest: number
}

/** Sends load to a server from a separate process. Rejects if a request was not answered with 200. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const script = fileURLToPath(new URL('load.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', script, JSON.stringify(options)],
    {
      timeout: options.milliseconds + 30_000,
    },
  )
  const result: LoadResult = JSON.parse(stdout)
  if (result.failed > 0 || result.answered === 0)
    throw new Error(
      `${options.method} ${options.paths[0]}: ${result.answered} answered, ${result.failed} failed`,
    )
  return result
}
