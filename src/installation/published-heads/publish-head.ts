import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import type { KeyedHash } from '../../engine/store/books/seal-log.js'
import {
  lastSignedHead,
  readSignedHead,
  type SignedHead,
  signedHeadProblem,
  signedHeadText,
} from '../../engine/store/books/signed-head.js'
import type { Environment, Store } from '../../engine/store/database/store.js'
import type { Clock } from '../../platform/clock.js'
import { codeOf } from '../../platform/error-code.js'
import { runCommand } from '../../platform/run-command.js'
import { datetimeOf } from '../../schema/datetime.js'
import { parsedJson } from '../../schema/json.js'
import { isTree } from '../../schema/types.js'

/** Places outside the home where signed heads are published. */
export interface HeadPlaces {
  /** Path of the file, to which the name of the environment is appended (`PAYCTL_HEAD_FILE`). */
  readonly file?: string | undefined
  /** Command that reads a head from its standard input (`PAYCTL_HEAD_COMMAND`). */
  readonly command?: string | undefined
}

interface PublisherOptions extends HeadPlaces {
  readonly home: string
  readonly environment: Environment
  readonly store: Store
  readonly keyed: KeyedHash
  /** Real time. */
  readonly clock: Clock
}

/** Outcome of the last attempt to publish a head, for `doctor`. */
export interface PublishedHead {
  readonly number: number
  readonly published_at: string
  readonly problem: string | null
}

/** Milliseconds after which the command is killed. */
const PATIENCE = 30_000

/**
 * Publishes the signed head of an environment's books outside the home. It publishes after each new checkpoint and
 * never within a commit, so that no payment waits for a publication or fails because of one.
 */
export class HeadPublisher {
  private published: string | undefined

  constructor(private readonly options: PublisherOptions) {}

  /**
   * Publishes the last checkpoint unless it was already published. Throws an error with the problem; the
   * next call tries again.
   */
  async publish(stopping: AbortSignal): Promise<void> {
    const { file, command, environment, store } = this.options
    if (file === undefined && command === undefined) return
    const head = await store.read(async (tx) => await lastSignedHead(tx, environment))
    if (!head || head.hash === this.published) return
    const problems = await whileNotStopped(stopping, async () => [
      ...(file === undefined ? [] : await this.write(headFileElsewhere(file, environment), head)),
      ...(command === undefined ? [] : await run(command, head, stopping)),
    ])
    if (!problems) return
    const problem = problems.length > 0 ? problems.join('; ') : null
    await this.note({ number: head.number, published_at: datetimeOf(this.options.clock.now()), problem })
    if (problem !== null)
      throw new Error(`The head of ${environment} could not be published elsewhere: ${problem}`)
    this.published = head.hash
  }

  /**
   * Writes the head, unless the existing head has later commits than these books. A later head is kept, because its
   * purpose is to reveal lost commits. Returns the problems.
   */
  private async write(path: string, head: SignedHead): Promise<string[]> {
    const { store, environment, keyed } = this.options
    try {
      const text = await fileText(path)
      const there = text === undefined ? undefined : readSignedHead(text)
      if (text !== undefined && !there) return [`${path} holds something else than a head`]
      const problem =
        there && (await store.read(async (tx) => await signedHeadProblem(tx, there, { environment, keyed })))
      if (problem !== undefined) return [`${path} stays as it is: ${problem}`]
      // Another process may have published a later head.
      if (!there || there.number < head.number) await replace(path, signedHeadText(head))
      return []
    } catch (error) {
      return [`${path} cannot be written (${codeOf(error) ?? String(error)})`]
    }
  }

  private async note(published: PublishedHead): Promise<void> {
    const { home, environment } = this.options
    await replace(publishedHeadPath(home, environment), `${JSON.stringify(published)}\n`).catch(
      () => undefined,
    )
  }
}

/** Path of an environment's head file outside the home. */
export function headFileElsewhere(file: string, environment: Environment): string {
  return `${file}.${environment}`
}

/** Outcome of the last attempt, as `doctor` reads it; undefined if there was none. */
export async function readPublishedHead(
  home: string,
  environment: Environment,
): Promise<PublishedHead | undefined> {
  const value = parsedJson((await fileText(publishedHeadPath(home, environment))) ?? '')
  if (!isTree(value)) return undefined
  const { number, published_at: at, problem } = value
  return {
    number: Number(number),
    published_at: String(at),
    problem: typeof problem === 'string' ? problem : null,
  }
}

function publishedHeadPath(home: string, environment: Environment): string {
  return join(home, `${environment}.head.published`)
}

async function run(command: string, head: SignedHead, stopping: AbortSignal): Promise<string[]> {
  const problem = await runCommand({ command, input: signedHeadText(head), patience: PATIENCE, stopping })
  return problem === undefined ? [] : [`the command failed, ${problem}`]
}

/**
 * Result of `job`; undefined if `stopping` is aborted first. A write to a file on another machine may never
 * return.
 */
async function whileNotStopped<T>(stopping: AbortSignal, job: () => Promise<T>): Promise<T | undefined> {
  const stopped = new Promise<undefined>((resolve) => {
    stopping.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  return await Promise.race([job(), stopped])
}

/** Text of a file; undefined if it does not exist. */
export async function fileText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Replaces a file atomically, without blocking the process. */
async function replace(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}`
  try {
    const file = await open(draft, 'w', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
  await syncFolder(dirname(path))
}

/** Syncs a folder, if its file system can. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}
