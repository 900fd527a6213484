import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

let template: Promise<string> | undefined

/** Puts into a home what `migrate` makes of an empty one: it runs once, and every home gets a copy of that. */
export async function copyMigratedFiles(
  home: string,
  migrate: (home: string) => Promise<void>,
): Promise<void> {
  template ??= make(migrate)
  const from = await template
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(home, name))
}

/** The folder goes with this process. */
async function make(migrate: (home: string) => Promise<void>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'payctl-template-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await migrate(folder)
  return folder
}
