import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline, promises } from 'node:stream'
import type { Random } from '../../../platform/random.js'
import { UsageError } from '../failure/failure.js'

/** The rows of a batch, as bytes that can be read more than once. */
export interface InputFile {
  /** The given path; undefined for standard input and pipes. */
  readonly path: string | undefined
  read(): AsyncIterable<Uint8Array>
  close(): void
}

/**
 * Opens a file, or standard input as `-`. A pipe, which can be read only once, is copied to a temporary file,
 * encrypted with a key that never leaves this process. Throws a `UsageError` for a file that cannot be read.
 */
export async function openInput(
  from: string,
  stdin: NodeJS.ReadableStream,
  random: Random,
): Promise<InputFile> {
  if (from === '-') return await spooled(stdin, random)
  try {
    const stat = statSync(from)
    if (stat.isDirectory()) throw new UsageError(`The file ${from} cannot be read: it is a folder`)
    if (!stat.isFile()) return await spooled(createReadStream(from), random)
    return { path: from, read: () => createReadStream(from), close: () => undefined }
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw new UsageError(`The file ${from} cannot be read (${error.code})`)
    throw error
  }
}

/**
 * Throws a `UsageError` if the bytes of a file have changed since its rows were counted. Somebody may have saved the
 * file while the command waited for a confirmation of the total.
 */
export async function expectUnchanged(
  { path, read }: InputFile,
  { content }: { readonly content: string },
): Promise<void> {
  if (path === undefined) return
  const digest = createHash('sha256')
  for await (const chunk of read()) digest.update(chunk)
  if (digest.digest('base64url') !== content)
    throw new UsageError(
      `The file ${path} has changed since it was read; nothing was sent. Run the batch again`,
    )
}

async function spooled(stream: NodeJS.ReadableStream, random: Random): Promise<InputFile> {
  const key = random.bytes(32)
  const start = random.bytes(16)
  const folder = mkdtempSync(join(tmpdir(), 'payctl-batch-'))
  const file = join(folder, 'rows')
  const close = () => rmSync(folder, { recursive: true, force: true })
  try {
    const sealed = createWriteStream(file, { mode: 0o600 })
    await promises.pipeline(stream, createCipheriv('aes-256-ctr', key, start), sealed)
  } catch (error) {
    close()
    throw error
  }
  return {
    path: undefined,
    // The decipher passes an error of the file on to the reader, so the callback ignores it.
    read: () =>
      pipeline(createReadStream(file), createDecipheriv('aes-256-ctr', key, start), () => undefined),
    close,
  }
}
