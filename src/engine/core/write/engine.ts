import type { Model } from '../../../model/model.js'
import type { Row } from '../../../schema/columns.js'
import type { Resource } from '../../../schema/resource.js'
import type { Input } from '../../../schema/types.js'
import type { RowLock } from '../../store/database/differences.js'
import type { Vault } from '../../store/vault/vault.js'
import type { Principal } from '../request/principal.js'

/** What the generic operations work with: rows of any resource, by its declaration. */
export interface Engine {
  readonly model: Model
  readonly vault: Vault
  readonly principal: Principal
  /** The present moment, as a datetime. */
  readonly now: string
  /** A row that the unit of work has cached. */
  cachedRow(table: string, id: string): Row | undefined
  /** A row in the caller's scope that is not deleted, and is not until the work ends. */
  findRow(resource: Resource, id: string): Promise<Row | undefined>
  /** A row that is deleted, and that another one still names. */
  keptRow(resource: Resource, id: string): Promise<Row | undefined>
  /** A row in the caller's scope that is not deleted, and nobody else changes it until the work ends, or names it where it is to be deleted. */
  lockRow(resource: Resource, id: string, lock?: RowLock): Promise<Row | undefined>
  rowsBy(resource: Resource, column: string, value: string): Promise<Row[]>
  /** A row with every column empty but the common ones and those that make it part of a view. */
  blankRow(resource: Resource): Row
  insertRow(resource: Resource, row: Row): Promise<void>
  changeRow(resource: Resource, id: string, columns: Row): Promise<Row>
  /** Creates by the resource's rule, plainly without one. */
  createBy(resource: Resource, input: Input): Promise<Row>
  /** Updates by the resource's rule, plainly without one. */
  update(resource: Resource, row: Row, input: Input): Promise<Row>
  /** Deletes by the resource's rule, plainly without one. */
  remove(resource: Resource, row: Row): Promise<void>
}
