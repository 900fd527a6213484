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
 * Makes a folder, open to its owner only, and those above it, unless they are there; several processes may do it at
 * once. Node's own recursive way never ends where the system says that a folder which cannot be made does not exist.
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
 * Makes a file by writing a draft beside it and giving that its name, so that nobody ever sees it unfinished, not even
 * after a power loss. Where a file has the name already, which another process may just have made, that one stays.
 * A draft that could not be finished is removed.
 */
export function publish(path: string, write: (draft: string) => void): void {
  makeByDraft(path, write, name)
}

/** The same where a file may have the name already, whose place it takes. */
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
  // Windows has no such call for folders, and wants a file open for writing.
  if (process.platform === 'win32') return
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
