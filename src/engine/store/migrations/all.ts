import { first } from './0001-first/index.js'
import type { Migration } from './builder/migration.js'
import type { MigrationName } from './builder/names.js'

export const migrations: Readonly<Record<MigrationName, Migration>> = { '0001_first': first }
