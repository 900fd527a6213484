import { existsSync } from 'node:fs'
import process from 'node:process'
import type { Browser } from 'playwright-core'

const isWanted = process.env['PAYCTL_NO_BROWSER'] !== '1'

/**
 * Path of Chromium on this machine: `CHROMIUM`, or the path of a package of Debian. It is undefined if there is none.
 * `PAYCTL_NO_BROWSER=1` leaves out the tests in a browser, as if there was none. The headless shell is the same browser without windows, and
 * takes a third less of the processor.
 */
export const chromium: string | undefined = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
].find((path) => isWanted && path !== undefined && existsSync(path))

let running: Promise<Browser> | undefined

/**
 * The one Chromium of this process, which is started on demand and serves all suites; each opens contexts of its own.
 * Its start has no time limit; `patient` removes the limits of pages and contexts.
 */
export async function openBrowser(): Promise<Browser> {
  running ??= start()
  return await running
}

async function start(): Promise<Browser> {
  const { chromium: driver } = await import('playwright-core')
  return await driver.launch({ executablePath: chromium, args: ['--no-sandbox'], timeout: 0 })
}

/** Closes the contexts of a suite with their pages. */
export async function closePages(browser: Browser): Promise<void> {
  for (const context of browser.contexts()) await context.close()
}

export async function stopBrowser(): Promise<void> {
  const started = await running
  await started?.close()
  running = undefined
}

/** Removes the time limit of a page's actions, or of all pages of a context; mocha's limit remains. */
export function patient<T extends { setDefaultTimeout(milliseconds: number): void }>(waiting: T): T {
  waiting.setDefaultTimeout(0)
  return waiting
}
