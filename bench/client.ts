import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export interface LoadOptions {
  readonly port: number
  readonly connections: number
  readonly milliseconds: number
  /** Number of requests after which the load ends, if that is earlier. */
  readonly requests?: number
  /** Requests a second over all connections; by default, each follows the previous answer. */
  readonly rate?: number
  readonly method: 'GET' | 'POST'
  /** Paths of requests, used in turn. */
  readonly paths: readonly string[]
  readonly body?: string
  /** Whether a POST has no `Idempotency-Key`; otherwise each POST has its own. */
  readonly isUnkeyed?: boolean
  readonly headers: Readonly<Record<string, string>>
}

export interface LoadResult {
  /** Number of requests answered with 200. */
  readonly answered: number
  readonly failed: number
  readonly perSecond: number
  /** 99th percentile of the time until an answer, in milliseconds. */
  readonly p99: number
  /** The longest time until an answer, in milliseconds. */
  readonly slowest: number
}

/** Puts load on a server from a separate process. Rejects if a request was not answered with 200. */
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
