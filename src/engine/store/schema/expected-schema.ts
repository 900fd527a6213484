import { migrationNames } from '../migrations/builder/migration.js'
import { SqliteConnection } from '../sqlite/connection.js'
import { type DescribedSchema, describeSchema } from './described-schema.js'

/** The schema that the migrations make: they are applied to a database in memory, once for a process. */
export async function expectedSchema(): Promise<DescribedSchema> {
  expected ??= describeMigrated()
  return await expected
}
let expected: Promise<DescribedSchema> | undefined

async function describeMigrated(): Promise<DescribedSchema> {
  const { migrations } = await import('../migrations/all.js')
  const connection = SqliteConnection.inMemory()
  try {
    for (const name of migrationNames) await migrations[name](connection, sealsNothing)
    return await describeSchema(connection)
  } finally {
    connection.close()
  }
}

/** An empty database has nothing to seal. */
function sealsNothing(): string {
  return ''
}
