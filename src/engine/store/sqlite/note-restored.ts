import { withDatabase } from './copy.js'

/**
 * Notes in a copy that is about to be restored that gateways have to be asked what it has forgotten: in live always, as one may
 * have been connected later; in test where there is one. Copies of versions without gateways have none. Datetimes (UTC).
 */
export async function noteRestored(
  path: string,
  environment: 'test' | 'live',
  { since, now }: { readonly since: string; readonly now: string },
): Promise<void> {
  await withDatabase(path, async (database) => {
    const has = (sql: string) => database.prepare(sql).get() !== undefined
    if (!has("select 1 from sqlite_master where name = 'catch_ups'")) return
    if (environment === 'test' && !has('select 1 from admin_gateways where deleted_at is null limit 1'))
      return
    database
      .prepare(
        `insert into catch_ups (id, since, restored_at) values ('catch_up', ?, ?)
         on conflict (id) do update set since = min(since, excluded.since)`,
      )
      .run(since, now)
  })
}
