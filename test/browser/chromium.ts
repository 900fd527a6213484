import { existsSync } from 'node:fs'
import process from 'node:process'

/** Chromium of this machine: where `CHROMIUM` says, or where Debian puts it; nothing where there is none. */
export const chromium: string | undefined = [process.env['CHROMIUM'], '/usr/bin/chromium'].find(
  (path) => path !== undefined && existsSync(path),
)
