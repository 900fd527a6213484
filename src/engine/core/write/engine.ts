import type { Model } from '../../../model/model.js'
import type { Row } from '../../../schema/columns.js'
import type { Resource } from '../../../schema/resource.js'
import type { Input } from '../../../schema/types.js'
import type { RowLock } from '../../store/database/differences.js'
import type { Vault } from '../../store/vault/vault.js'
import type { Principal } from '../request/principal.js'

/** Access to rows of any resource by its declaration, for the generic operations. */
export interface Engine {
  readonly model: Model
  readonly vault: Vault
  readonly principal: Principal
  /** Business time of the unit of work, as a datetime. */
  readonly now: string
  /** Row that the unit of work has cached. */
  cachedRow(table: string, id: string): Row | undefined
  /** Row that is in the caller's scope and not deleted. It cannot be deleted until the work ends. */
  findRow(resource: Resource, id: string): Promise<Row | undefined>
  /** Row that is deleted and still referenced by another row. */
  keptRow(resource: Resource, id: string): Promise<Row | undefined>
  /**
   * Row that is in the caller's scope and not deleted, locked for this unit of work. Other units cannot
   * change it until the work ends; with the lock `deletion` they cannot reference it either.
   */
  lockRow(resource: Resource, id: string, lock?: RowLock): Promise<Row | undefined>
  rowsBy(resource: Resource, column: string, value: string): Promise<Row[]>
  /**
   * New row with its common columns and the columns that make it part of a view; all other columns are
   * empty.
   */
  blankRow(resource: Resource): Row
  insertRow(resource: Resource, row: Row): Promise<void>
  changeRow(resource: Resource, id: string, columns: Row): Promise<Row>
  /** Creates an object by the resource's rule, or by the generic create if there is no rule. */
  createBy(resource: Resource, input: Input): Promise<Row>
  /** Updates an object by the resource's rule, or by the generic update if there is no rule. */
  update(resource: Resource, row: Row, input: Input): Promise<Row>
  /** Deletes an object by the resource's rule, or by the generic delete if there is no rule. */
  remove(resource: Resource, row: Row): Promise<void>
}
