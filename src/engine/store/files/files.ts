import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { codeOf } from '../../../platform/error-code.js'

/**
 * Makes a folder that only its owner can open, with the missing folders above it. Several processes may do so
 * at once. Node's recursive option is not used: it never ends if a folder cannot be made and the system
 * reports that it does not exist.
 */
export function makeFolder(path: string): void {
  if (isFolder(path)) return
  if (!existsSync(dirname(path))) makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/**
 * Makes a file by writing a draft beside it and renaming the draft. So the file is never seen unfinished,
 * even after a power loss. An existing file of that name is kept, because another process may just have
 * made it. An unfinished draft is removed.
 */
export function publish(path: string, write: (draft: string) => void): void {
  makeByDraft(path, write, name)
}

/** `publish` that replaces an existing file of that name. */
export function replaceFile(path: string, write: (draft: string) => void): void {
  makeByDraft(path, write, renameSync)
}

function makeByDraft(
  path: string,
  write: (draft: string) => void,
  finish: (draft: string, path: string) => void,
): void {
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  try {
    write(draft)
    sync(draft)
    finish(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
  sync(dirname(path))
}

function name(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/** Waits until a file, or the names in a folder, are on the disk. */
export function sync(path: string): void {
  // Windows has no such call for folders, and requires a file to be open for writing.
  if (process.platform === 'win32') return
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
