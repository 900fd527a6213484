import { firstMigration } from './0001-first/first-migration.js'
import type { Migration, MigrationName } from './builder/migration.js'

export const migrations: Readonly<Record<MigrationName, Migration>> = { '0001_first': firstMigration }
