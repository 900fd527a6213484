import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { emptyHome } from './home.js'

let template: Promise<string> | undefined

/**
 * Puts migrated databases into a home. The first call runs `migrate` on an empty home; later calls copy its
 * files.
 */
export async function copyMigratedFiles(
  home: string,
  migrate: (home: string) => Promise<void>,
): Promise<void> {
  template ??= make(migrate)
  const from = await template
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(home, name))
}

async function make(migrate: (home: string) => Promise<void>): Promise<string> {
  const folder = emptyHome()
  await migrate(folder)
  return folder
}
