import { existsSync } from 'node:fs'
import process from 'node:process'
import { type Browser, chromium as driver } from 'playwright-core'

/**
 * Path of Chromium on this machine: `CHROMIUM`, or the path of a package of Debian; undefined if there is none.
 * The headless shell is the same browser without windows, and takes a third less of the processor.
 */
export const chromium: string | undefined = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
].find((path) => path !== undefined && existsSync(path))

/** Starts Chromium without a time limit for the start; `patient` removes the limits of pages and contexts. */
export async function launch(): Promise<Browser> {
  return await driver.launch({ executablePath: chromium, args: ['--no-sandbox'], timeout: 0 })
}

/** Removes the time limit of a page's actions, or of all pages of a context; mocha's limit remains. */
export function patient<T extends { setDefaultTimeout(milliseconds: number): void }>(waiting: T): T {
  waiting.setDefaultTimeout(0)
  return waiting
}
