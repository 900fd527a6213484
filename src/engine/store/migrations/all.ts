import { firstMigration } from './0001-first/first-migration.js'
import { vaultKeysMigration } from './0002-vault-keys/vault-keys-migration.js'
import type { Migration, MigrationName } from './builder/migration.js'

export const migrations: Readonly<Record<MigrationName, Migration>> = {
  '0001_first': firstMigration,
  '0002_vault_keys': vaultKeysMigration,
}
