import { existsSync } from 'node:fs'
import process from 'node:process'
import { type Browser, chromium as driver } from 'playwright-core'

/** Chromium of this machine: where `CHROMIUM` says, or where Debian puts it; nothing where there is none. */
export const chromium: string | undefined = [process.env['CHROMIUM'], '/usr/bin/chromium'].find(
  (path) => path !== undefined && existsSync(path),
)

/** Starts it. Nothing in it is waited for with a limit of its own: pages and contexts are told so by `patient`. */
export async function launch(): Promise<Browser> {
  return await driver.launch({ executablePath: chromium, args: ['--no-sandbox'], timeout: 0 })
}

/** Lets a page, or all pages of a context, wait for what they wait for. */
export function patient<T extends { setDefaultTimeout(milliseconds: number): void }>(waiting: T): T {
  waiting.setDefaultTimeout(0)
  return waiting
}
