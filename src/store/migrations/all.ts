import { first } from './0001-first/index.js'
import type { Migration } from './migration.js'
import type { MigrationName } from './names.js'

export const migrations: Readonly<Record<MigrationName, Migration>> = { '0001_first': first }
