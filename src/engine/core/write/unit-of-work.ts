import type { Model } from '../../../model/model.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import type { Ids } from '../../../platform/ids.js'
import type { Row } from '../../../schema/columns.js'
import { datetimeOf } from '../../../schema/datetime.js'
import type { Resource } from '../../../schema/resource.js'
import type { Input, RowOf } from '../../../schema/types.js'
import { sealedTables } from '../../store/books/sealed-table.js'
import type { Environment, SealChecks, Tx } from '../../store/database/store.js'
import type { Vault } from '../../store/vault/vault.js'
import { ActivityLog, type Subject } from '../activity/activity-log.js'
import { deedOf } from '../activity/money-moved.js'
import type { Occasion } from '../activity/occasion.js'
import type { Addresses } from '../read/addresses.js'
import type { CutLists } from '../read/cut-lists.js'
import type { ShowContext } from '../read/show-rows.js'
import type { Statements } from '../read/statements.js'
import { ApiError, invalidAttributes } from '../request/api-error.js'
import { type Principal, system } from '../request/principal.js'
import type { CoreDependencies } from './core-dependencies.js'
import type { Engine } from './engine.js'
import { nameRelated } from './name-related.js'
import { Outbox } from './outbox.js'
import { changesAnything, refuseReadonly, withoutReadonly } from './readonly.js'
import { refuseForeignDestination, withOnlyDestination } from './references.js'
import { createTree, isSame, updateTree } from './tree.js'
import type { AfterCommitStep, AnyRule, AnyRules, Event, OpenTrees, Work } from './work.js'
import { Rows, rowOf } from './work-rows.js'

interface UnitOfWorkOptions {
  readonly occasion: Occasion
  /** Business time, in milliseconds since 1970. */
  readonly milliseconds: number
  readonly realMilliseconds: number
  /** Whether the work is a consistent read, which neither changes nor locks rows. */
  readonly isRead: boolean
  /** Whether all changes are rolled back. */
  readonly isDryRun: boolean
}

/** Implements `Work` for rules and `Engine` for the generic operations. */
export class UnitOfWork extends Rows implements Work, Engine {
  readonly model: Model
  readonly statements: Statements
  readonly vault: Vault
  readonly addresses: Addresses
  readonly environment: Environment
  readonly milliseconds: number
  readonly realMilliseconds: number
  readonly now: string
  readonly locks: boolean
  readonly isDryRun: boolean
  readonly afterCommitSteps: AfterCommitStep[] = []
  readonly openTrees: OpenTrees = new Map()
  private readonly rules: AnyRules
  private readonly seals: SealChecks | undefined
  private readonly ids: Ids
  private readonly outbox: Outbox
  private readonly activity: ActivityLog
  /** Objects that are being changed now: their rows before the change, by id. */
  private readonly changing = new Map<string, Row>()

  constructor(
    dependencies: Omit<CoreDependencies, 'rules'> & { readonly rules: AnyRules },
    readonly tx: Tx,
    private actor: Principal,
    { occasion, milliseconds, realMilliseconds, isRead, isDryRun }: UnitOfWorkOptions,
  ) {
    super()
    this.milliseconds = milliseconds
    this.realMilliseconds = realMilliseconds
    this.now = datetimeOf(milliseconds)
    this.isDryRun = isDryRun
    this.locks = !isRead && tx.dialect === 'postgres'
    this.model = dependencies.model
    this.statements = dependencies.statements
    this.rules = dependencies.rules
    this.seals = dependencies.store.seals
    this.vault = dependencies.vault.forUnitOfWork(tx.shared)
    this.addresses = dependencies.addresses
    this.environment = dependencies.environment
    this.ids = dependencies.ids
    this.outbox = new Outbox(actor.id)
    this.activity = new ActivityLog(tx, occasion)
  }

  get principal(): Principal {
    return this.actor
  }

  get realNow(): string {
    return datetimeOf(this.realMilliseconds)
  }

  newId(prefix: string): string {
    return this.ids.next(prefix)
  }

  ruleOf(resource: ResourceModel): AnyRule | undefined {
    return Object.hasOwn(this.rules, resource.name) ? this.rules[resource.name] : undefined
  }

  find<R extends Resource>(resource: R, id: string): Promise<RowOf<R> | undefined> {
    return this.findRow(resource, id)
  }

  lock<R extends Resource>(resource: R, id: string): Promise<RowOf<R> | undefined> {
    return this.lockRow(resource, id)
  }

  findBy<R extends Resource>(resource: R, column: string, value: string): Promise<RowOf<R>[]> {
    return this.rowsBy(resource, column, value)
  }

  create<R extends Resource>(resource: R, input: Input): Promise<RowOf<R>> {
    return this.createBy(resource, input)
  }

  async createPlainly<R extends Resource>(resource: R, input: Input): Promise<RowOf<R>> {
    return rowOf(resource, await createTree(this, this.model.of(resource), input))
  }

  async updatePlainly<R extends Resource>(resource: R, row: RowOf<R>, input: Input): Promise<RowOf<R>> {
    return rowOf(resource, await updateTree(this, this.model.of(resource), row, input))
  }

  deletePlainly<R extends Resource>(resource: R, row: RowOf<R>): Promise<void> {
    return this.markDeleted(resource, row)
  }

  blank<R extends Resource>(resource: R): RowOf<R> {
    return this.blankRow(resource)
  }

  insert<R extends Resource>(resource: R, row: RowOf<R>): Promise<void> {
    return this.insertRow(resource, row)
  }

  change<R extends Resource>(resource: R, id: string, columns: Partial<RowOf<R>>): Promise<RowOf<R>> {
    return this.changeRow(resource, id, columns)
  }

  refresh<R extends Resource>(resource: R, id: string): Promise<RowOf<R>> {
    return this.refreshRow(resource, id)
  }

  async sealProblem(table: string, id: string, row: Row | undefined): Promise<string | undefined> {
    if (!this.seals) throw new Error('A database that is only looked at has no rows to use')
    return this.hasInserted(id) ? undefined : await this.seals.problem(this.tx, { table, id, row })
  }

  /**
   * Throws `Conflict` if a control row differs from its newest seal, because a change would seal the
   * tampered values too. Deleting the row is allowed.
   */
  async expectAsSealed(resource: ResourceModel, row: Row): Promise<void> {
    const table = sealedTables().get(resource.table)
    if (!table?.controls(table.valuesOf(row)) || this.ruleOf(resource)?.restates) return
    const problem = await this.sealProblem(resource.table, String(row.id), row)
    if (problem === undefined) return
    const ways = resource.refuses?.DELETE
      ? 'Restore a backup'
      : 'Delete it and make another one, or restore it'
    throw new ApiError('Conflict', `${problem}. ${ways}`)
  }

  async createBy<R extends Resource>(resource: R, input: Input): Promise<RowOf<R>> {
    const model = this.model.of(resource)
    if (resource.refuses?.POST) throw new ApiError('Forbidden', resource.refuses.POST)
    refuseForeignDestination(model, input, this.principal)
    const rule = this.ruleOf(model)
    const named = await nameRelated(this, model, input, rule?.handles)
    const whole = withOnlyDestination(model, named, this.principal)
    const row = rule?.create ? await rule.create(this, whole) : await createTree(this, model, whole)
    this.activity.note(String(row.id), deedOf(model, 'create', whole))
    return rowOf(resource, row)
  }

  /** `row` may be older than the cached row, if another object of the same request changed it since. */
  async update(resource: ResourceModel, row: Row, input: Input): Promise<Row> {
    const id = String(row.id)
    const current = this.cachedRow(resource.table, id) ?? row
    if (current.deleted_at !== null) throw invalidAttributes({ id: 'Not found' })
    const before = this.changing.get(id)
    if (before) return (await isSame(this, resource, before, input)) ? current : refuseChanging()
    this.changing.set(id, current)
    try {
      return await this.updateBy(resource, current, this.changeableIn(resource, { row, current }, input))
    } finally {
      this.changing.delete(id)
    }
  }

  /**
   * Input without the values that the client read and sends back unchanged, even if another write has changed
   * the row since.
   */
  private changeableIn(
    resource: ResourceModel,
    { row, current }: { readonly row: Row; readonly current: Row },
    input: Input,
  ): Input {
    if (row === current) return input
    return withoutReadonly(resource, row, input, { manage: this.principal.manage, now: this.now })
  }

  private async updateBy(resource: ResourceModel, row: Row, input: Input): Promise<Row> {
    if (resource.refuses?.PUT) {
      if (changesAnything(resource, row, input, this)) throw new ApiError('Forbidden', resource.refuses.PUT)
      return row
    }
    await this.expectAsSealed(resource, row)
    refuseForeignDestination(resource, input, this.principal)
    refuseReadonly(resource, row, input, {
      manage: this.principal.manage,
      now: this.now,
    })
    const rule = this.ruleOf(resource)
    const named = await nameRelated(this, resource, input, rule?.handles, row)
    const updated = rule?.update
      ? await rule.update(this, row, named)
      : await updateTree(this, resource, row, named)
    this.activity.note(String(row.id), deedOf(resource, 'update', named))
    return updated
  }

  async remove(resource: ResourceModel, row: Row): Promise<void> {
    if (resource.refuses?.DELETE) throw new ApiError('Forbidden', resource.refuses.DELETE)
    // Lock first: afterwards, no new reference to the row can be added to those that the rule checks.
    const locked = await this.lockRow(resource, String(row.id), 'deletion')
    if (!locked) return
    if (this.changing.has(String(row.id))) refuseChanging()
    const rule = this.ruleOf(resource)
    if (rule?.delete) await rule.delete(this, locked)
    else await this.markDeleted(resource, locked)
    this.activity.note(String(row.id), deedOf(resource, 'delete', {}))
  }

  /** Context for showing rows of this unit of work. */
  showContext(lists: CutLists): ShowContext {
    const { principal, statements, now, tx, addresses } = this
    return {
      principal,
      statements,
      now,
      tx,
      addresses,
      lists,
      cachedRow: (table, id) => this.cachedRow(table, id),
    }
  }

  async asSystem<T>(job: () => Promise<T>): Promise<T> {
    const { actor } = this
    this.actor = system
    try {
      return await job()
    } finally {
      this.actor = actor
    }
  }

  emit(...events: readonly Event[]): void {
    for (const event of events) this.outbox.add(this.newId('evt_'), event, this.now)
  }

  afterCommit(step: AfterCommitStep): void {
    this.afterCommitSteps.push(step)
  }

  /**
   * Writes the events and the activity. Throws `Forbidden` if a written row has left the principal's scope.
   */
  async finish(subject?: Subject): Promise<void> {
    await this.outbox.write(this.tx)
    await this.activity.write(this, subject)
    if (this.principal.processingIds) await this.refuseForeign()
  }
}

/**
 * Throws because an object that contains itself would be changed twice, and one change would overwrite the
 * other.
 */
function refuseChanging(): never {
  throw invalidAttributes({ id: 'Is changed further out in the same tree' })
}
