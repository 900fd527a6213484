import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { inHome } from './home.js'

/** Size of the disk in bytes: room for two databases with their write-ahead logs. */
const BYTES = 12 * 1024 * 1024

/** Whether this process may mount a disk: as root, if the container allows it. */
export const mayMount: boolean = await inHome((folder) => {
  const mounted = process.geteuid?.() === 0 && mount(folder)
  return mounted && unmount(folder)
})

/** Runs work on a disk of a few megabytes. */
export function onSmallDisk(work: (folder: string) => Promise<void>): Promise<void> {
  return inHome(async (folder) => {
    if (!mount(folder)) throw new Error('No disk could be mounted')
    try {
      await work(folder)
    } finally {
      unmount(folder)
    }
  })
}

/** Fills a disk completely; returns a function that frees the space. */
export function fill(folder: string): () => void {
  const path = join(folder, 'filling')
  const file = openSync(path, 'w')
  try {
    for (let size = 64 * 1024; size >= 1; size = Math.floor(size / 2)) writeWhileRoom(file, size)
  } finally {
    closeSync(file)
  }
  return () => rmSync(path)
}

function writeWhileRoom(file: number, size: number): void {
  const bytes = Buffer.alloc(size)
  try {
    while (writeSync(file, bytes) === size);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}

function mount(folder: string): boolean {
  return succeeds('mount', '-t', 'tmpfs', '-o', `size=${BYTES},mode=0700`, 'tmpfs', folder)
}

function unmount(folder: string): boolean {
  return succeeds('umount', folder)
}

function succeeds(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0
}
