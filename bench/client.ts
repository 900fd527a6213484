import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export interface LoadOptions {
  readonly port: number
  readonly connections: number
  readonly milliseconds: number
  /** Ends after so many requests, if that is earlier. */
  readonly requests?: number
  /** Requests a second, over all connections; as many as are answered unless given. */
  readonly rate?: number
  readonly method: 'GET' | 'POST'
  /** Taken in turn. */
  readonly paths: readonly string[]
  readonly body?: string
  /** Whether a POST has no `Idempotency-Key`; otherwise each has one of its own. */
  readonly isUnkeyed?: boolean
  readonly headers: Readonly<Record<string, string>>
}

export interface LoadResult {
  /** Requests answered 200. */
  readonly answered: number
  readonly failed: number
  readonly perSecond: number
  /** Milliseconds within which 99 of 100 were answered. */
  readonly p99: number
}

/** Puts load on a server from a process of its own. Rejects when a request was not answered 200. */
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
