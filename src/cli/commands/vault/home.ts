import { UsageError } from '../../terminal/failure/failure.js'
import type { Settings } from '../../terminal/profiles/settings.js'

/** The folder of the databases. Throws a `UsageError` where they are PostgreSQL's, which has tools of its own. */
export function sqliteHome({ home, databaseUrl }: Settings, tool: 'pg_dump' | 'pg_restore'): string {
  if (!databaseUrl) return home.value
  throw new UsageError(
    `The database is PostgreSQL's (${databaseUrl.from}): use ${tool} --schema=payctl_test --schema=payctl_live; the keys are exported by payctl vault export`,
  )
}
