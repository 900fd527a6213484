import type { DatabaseConnection, Driver } from 'kysely'

/** Driver with the single connection of a unit of work, which is always free here. */
export class OneConnection implements Driver {
  constructor(private readonly connection: DatabaseConnection) {}
  async init(): Promise<void> {
    return
  }
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.connection
  }
  async releaseConnection(): Promise<void> {
    return
  }
  async beginTransaction(): Promise<void> {
    throw new Error('A unit of work is begun by store.write')
  }
  async commitTransaction(): Promise<void> {
    throw new Error('A unit of work is committed by store.write')
  }
  async rollbackTransaction(): Promise<void> {
    throw new Error('A unit of work is rolled back by store.write')
  }
  async destroy(): Promise<void> {
    return
  }
}
