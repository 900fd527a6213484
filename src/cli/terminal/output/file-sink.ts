import { rmSync } from 'node:fs'
import { type FileHandle, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { codeOf } from '../../../platform/error-code.js'
import { Interrupted, UsageError } from '../failure/failure.js'
import { report } from './answer-report.js'
import type { Sink } from './sink.js'

/**
 * Opens an output file that only its owner can read. It is written under another name in the same folder
 * and renamed at the end, so that it is complete or does not exist. Throws a `UsageError` if it cannot be
 * written.
 */
export async function fileSink(path: string, argv: readonly string[]): Promise<Sink> {
  const place = await placeOf(path)
  if (place.isDevice) return writing(await opened(path, path, 'w'), path, async () => undefined)
  const part = join(dirname(place.path), `.${basename(place.path)}.${process.pid}.part`)
  const handle = await opened(part, path, 'wx')
  const stop = () => {
    rmSync(part, { force: true })
    report(new Interrupted(`Interrupted; nothing was written to ${path}.`), argv)
    process.exit()
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  return writing(handle, path, async (isWhole) => {
    try {
      if (isWhole) await rename(part, place.path)
    } finally {
      // Removes the draft if it could not be renamed, as with the path `orders.csv/`.
      await rm(part, { force: true })
      process.off('SIGINT', stop).off('SIGTERM', stop)
    }
  })
}

/** Writes a small text to a file that a flag names. Throws a `UsageError` if the file cannot be written. */
export async function writeTextFile(path: string, text: string): Promise<void> {
  await explained(path, writeFile(path, text))
}

function writing(handle: FileHandle, path: string, done: (isWhole: boolean) => Promise<void>): Sink {
  return {
    async write(text) {
      await explained(path, handle.appendFile(text))
      return true
    },
    async close(isWhole) {
      await handle.close()
      await explained(path, done(isWhole))
    },
  }
}

/**
 * Target of a path with links resolved, and whether it is a device such as `/dev/stdout`, which must not be
 * replaced.
 */
async function placeOf(path: string): Promise<{ readonly path: string; readonly isDevice: boolean }> {
  try {
    if (!(await stat(path)).isFile()) return { path, isDevice: true }
    return { path: await realpath(path), isDevice: false }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw unwritable(path, error)
    return { path, isDevice: false }
  }
}

async function opened(name: string, path: string, flags: 'w' | 'wx'): Promise<FileHandle> {
  return await explained(path, open(name, flags, 0o600))
}

async function explained<T>(path: string, writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    throw unwritable(path, error)
  }
}

function unwritable(path: string, error: unknown): UsageError {
  return new UsageError(`The file ${path} cannot be written (${codeOf(error) ?? error})`)
}
