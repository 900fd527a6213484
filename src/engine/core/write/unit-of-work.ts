import type { Model } from '../../../model/model.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import type { Ids } from '../../../platform/ids.js'
import type { Row } from '../../../schema/columns.js'
import { datetimeOf } from '../../../schema/datetime.js'
import type { Resource } from '../../../schema/resource.js'
import type { Input } from '../../../schema/types.js'
import type { Environment, Tx } from '../../store/database/store.js'
import type { Vault } from '../../store/vault/vault.js'
import type { Addresses } from '../read/addresses.js'
import type { CutLists } from '../read/cut-lists.js'
import type { ShowContext } from '../read/show-rows.js'
import type { Statements } from '../read/statements.js'
import { ApiError, invalidAttributes } from '../request/api-error.js'
import { operator, type Principal } from '../request/principal.js'
import type { CoreDependencies } from './core-dependencies.js'
import type { Engine } from './engine.js'
import { nameRelated } from './name-related.js'
import { Outbox } from './outbox.js'
import { changesAnything, refuseReadonly, withoutReadonly } from './readonly.js'
import { refuseForeignDestination, withOnlyDestination } from './references.js'
import { createTree, isSame, updateTree } from './tree.js'
import type { AfterCommitStep, AnyRule, AnyRules, Event, Name, OpenTrees, RowByName, Work } from './work.js'
import { Rows } from './work-rows.js'

interface UnitOfWorkOptions {
  /** What time it is for the business, and really, in milliseconds since 1970. */
  readonly milliseconds: number
  readonly realMilliseconds: number
  /** A consistent read changes nothing, and locks nothing. */
  readonly isRead: boolean
}

/** Implements `Work` for rules, and the rows that the generic operations work with. */
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
  readonly afterCommitSteps: AfterCommitStep[] = []
  readonly openTrees: OpenTrees = new Map()
  private readonly rules: AnyRules
  private readonly ids: Ids
  private readonly outbox: Outbox
  /** Objects whose change has begun and not ended, by id, as they were before it. */
  private readonly changing = new Map<string, Row>()

  constructor(
    dependencies: Omit<CoreDependencies, 'rules'> & { readonly rules: AnyRules },
    readonly tx: Tx,
    private actor: Principal,
    { milliseconds, realMilliseconds, isRead }: UnitOfWorkOptions,
  ) {
    super()
    this.milliseconds = milliseconds
    this.realMilliseconds = realMilliseconds
    this.now = datetimeOf(milliseconds)
    this.locks = !isRead && tx.dialect === 'postgres'
    this.model = dependencies.model
    this.statements = dependencies.statements
    this.rules = dependencies.rules
    this.vault = dependencies.vault.forUnitOfWork(tx.shared)
    this.addresses = dependencies.addresses
    this.environment = dependencies.environment
    this.ids = dependencies.ids
    this.outbox = new Outbox(actor.id)
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

  ruleOf(resource: Resource): AnyRule | undefined {
    return Object.hasOwn(this.rules, resource.name) ? this.rules[resource.name] : undefined
  }

  find<N extends Name>(name: N, id: string): Promise<RowByName[N] | undefined>
  find(name: string, id: string): Promise<Row | undefined> {
    return this.findRow(this.model.get(name), id)
  }

  lock<N extends Name>(name: N, id: string): Promise<RowByName[N] | undefined>
  lock(name: string, id: string): Promise<Row | undefined> {
    return this.lockRow(this.model.get(name), id)
  }

  findBy<N extends Name>(name: N, column: string, value: string): Promise<RowByName[N][]>
  findBy(name: string, column: string, value: string): Promise<Row[]> {
    return this.rowsBy(this.model.get(name), column, value)
  }

  create<N extends Name>(name: N, input: Input): Promise<RowByName[N]>
  create(name: string, input: Input): Promise<Row> {
    return this.createBy(this.model.get(name), input)
  }

  createPlainly<N extends Name>(name: N, input: Input): Promise<RowByName[N]>
  createPlainly(name: string, input: Input): Promise<Row> {
    return createTree(this, this.model.get(name), input)
  }

  updatePlainly<N extends Name>(name: N, row: RowByName[N], input: Input): Promise<RowByName[N]>
  updatePlainly(name: string, row: Row, input: Input): Promise<Row> {
    return updateTree(this, this.model.get(name), row, input)
  }

  deletePlainly<N extends Name>(name: N, row: RowByName[N]): Promise<void>
  deletePlainly(name: string, row: Row): Promise<void> {
    return this.markDeleted(this.model.get(name), row)
  }

  blank<N extends Name>(name: N): RowByName[N]
  blank(name: string): Row {
    return this.blankRow(this.model.get(name))
  }

  insert<N extends Name>(name: N, row: RowByName[N]): Promise<void>
  insert(name: string, row: Row): Promise<void> {
    return this.insertRow(this.model.get(name), row)
  }

  change<N extends Name>(name: N, id: string, columns: Partial<RowByName[N]>): Promise<RowByName[N]>
  change(name: string, id: string, columns: Row): Promise<Row> {
    return this.changeRow(this.model.get(name), id, columns)
  }

  refresh<N extends Name>(name: N, id: string): Promise<RowByName[N]>
  refresh(name: string, id: string): Promise<Row> {
    return this.refreshRow(this.model.get(name), id)
  }

  async createBy(declaration: Resource, input: Input): Promise<Row> {
    const resource = this.modelOf(declaration)
    if (resource.refuses?.POST) throw new ApiError('Forbidden', resource.refuses.POST)
    refuseForeignDestination(resource, input, this.principal)
    const rule = this.ruleOf(resource)
    const named = await nameRelated(this, resource, input, rule?.handles)
    const whole = withOnlyDestination(resource, named, this.principal)
    return rule?.create ? await rule.create(this, whole) : await createTree(this, resource, whole)
  }

  /** The row may be as it was read before another object of the same request changed it. */
  async update(declaration: Resource, row: Row, input: Input): Promise<Row> {
    const resource = this.modelOf(declaration)
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

  /** What was read is sent back as it was read, also where that has changed since. */
  private changeableIn(
    resource: ResourceModel,
    { row, current }: { readonly row: Row; readonly current: Row },
    input: Input,
  ): Input {
    if (row === current) return input
    const { vault, now } = this
    return withoutReadonly(resource, row, input, { manage: this.principal.manage, vault, now })
  }

  private async updateBy(resource: ResourceModel, row: Row, input: Input): Promise<Row> {
    if (resource.refuses?.PUT) {
      if (changesAnything(resource, row, input, this)) throw new ApiError('Forbidden', resource.refuses.PUT)
      return row
    }
    refuseForeignDestination(resource, input, this.principal)
    refuseReadonly(resource, row, input, {
      manage: this.principal.manage,
      vault: this.vault,
      now: this.now,
    })
    const rule = this.ruleOf(resource)
    const named = await nameRelated(this, resource, input, rule?.handles, row)
    return rule?.update ? await rule.update(this, row, named) : await updateTree(this, resource, row, named)
  }

  async remove(resource: Resource, row: Row): Promise<void> {
    if (resource.refuses?.DELETE) throw new ApiError('Forbidden', resource.refuses.DELETE)
    // What a rule finds to stand against it must be there for good: nobody names the row from here on.
    const locked = await this.lockRow(resource, String(row.id), 'deletion')
    if (!locked) return
    if (this.changing.has(String(row.id))) refuseChanging()
    const rule = this.ruleOf(resource)
    if (rule?.delete) await rule.delete(this, locked)
    else await this.markDeleted(resource, locked)
  }

  /** What showing rows needs, which are those of this unit of work. */
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

  async asOperator<T>(job: () => Promise<T>): Promise<T> {
    const { actor } = this
    this.actor = operator
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

  /** Writes the events, and checks that everything written is still in the principal's scope. */
  async finish(): Promise<void> {
    await this.outbox.write(this.tx)
    if (this.principal.processingIds) await this.refuseForeign()
  }
}

/** An object that holds itself further in would be changed twice, the one change lost in the other. */
function refuseChanging(): never {
  throw invalidAttributes({ id: 'Is changed further out in the same tree' })
}
