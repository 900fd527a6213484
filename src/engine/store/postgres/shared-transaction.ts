import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import type { Tx } from '../database/store.js'
import { StoreError } from '../database/store-error.js'
import { batchReads } from './batch-reads.js'
import { GroupMember, type PendingRead } from './group-member.js'
import { writingSteps } from './grouped-writes.js'
import type { PostgresConnection } from './postgres-connection.js'

/** Unit of work that may share a transaction with others. */
export interface Joining {
  /** Milliseconds for which the unit of work may still wait. */
  left(): number
  /**
   * Runs the unit of work. The returned function settles the caller's promise and is called after the commit.
   */
  run(tx: Tx): Promise<() => void>
  /** Runs the unit of work in a separate transaction, and again after each conflict. Never rejects. */
  apart(): Promise<void>
  fail(error: unknown): void
}

/** Outcome of a unit of work. */
type Outcome =
  | { readonly kind: 'done'; readonly settle: () => void; readonly member?: GroupMember }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'left' }

/**
 * Units of work that run at the same time in one transaction. Identical queries of one event-loop turn are
 * sent once. Inserts are written when all units have ended. So each unit reads only committed data, and
 * none sees the inserts of another.
 */
export class SharedTransaction {
  private outcomes: readonly Outcome[] = []
  private questions: PendingRead[] = []
  private answering: Promise<void> | undefined
  /** Number of units of work that have not ended. */
  private running: number
  /**
   * Holders of advisory locks, by name. The database would grant a lock again to any unit of work in the
   * same transaction.
   */
  private readonly holders = new Map<string, GroupMember>()
  private failure: { readonly error: unknown } | undefined
  private isOver = false

  constructor(
    private readonly works: readonly Joining[],
    private readonly connection: PostgresConnection,
  ) {
    this.running = works.length
  }

  /**
   * Runs all units of work, calls `decided` when they have ended, and writes their inserts. Rejects if the
   * database fails; then no inserts are committed.
   */
  async run(decided: () => void): Promise<void> {
    const outcomes = await Promise.all(this.works.map((work) => this.runOne(work)))
    while (this.answering !== undefined) await this.answering
    this.isOver = true
    if (this.failure) throw this.failure.error
    // A unit of work that has left the group has written no rows, whatever its result. The outcomes are
    // final from here on.
    this.outcomes = outcomes.map((outcome) =>
      outcome.kind === 'done' && outcome.member?.hasLeft ? { kind: 'left' } : outcome,
    )
    const done = this.outcomes.flatMap((outcome) =>
      outcome.kind === 'done' && outcome.member ? [outcome.member.writes] : [],
    )
    const steps = writingSteps(done)
    decided()
    for (const step of steps) {
      if (step.kind === 'alone') await step.write.alone()
      else {
        await this.connection.together(step.statement)
        for (const write of step.writes) write.note()
      }
    }
    const [only, ...others] = this.works
    if (only && others.length === 0 && this.outcomes[0]?.kind === 'left') await this.runFreely(only)
  }

  /**
   * Settles the callers' promises after the commit. Units of work that have left the group run in separate
   * transactions.
   */
  settle(): void {
    this.end((settle) => settle())
  }

  /** Fails the units of work with an error because it is unknown whether they are committed. */
  lose(error: unknown): void {
    this.end((_, work) => work.fail(error))
  }

  /** Whether a single unit of work failed with an error of its own, not of the database. */
  isRefusing(error: unknown): boolean {
    return this.works.length === 1 && !(error instanceof StoreError || error instanceof pg.DatabaseError)
  }

  /** Fails all units of work with an error. */
  refuse(error: unknown): void {
    for (const work of this.works) work.fail(error)
  }

  private end(settled: (settle: () => void, work: Joining) => void): void {
    for (const [index, work] of this.works.entries()) {
      const outcome = this.outcomes[index]
      if (outcome?.kind === 'done') settled(outcome.settle, work)
      else if (outcome?.kind === 'failed') work.fail(outcome.error)
      else void work.apart()
    }
  }

  /** Runs a unit of work that has the transaction for itself, without restrictions. */
  private async runFreely(work: Joining): Promise<void> {
    this.outcomes = [{ kind: 'done', settle: await work.run(this.connection) }]
  }

  private async runOne(work: Joining): Promise<Outcome> {
    const member = new GroupMember(this.connection, (question) => this.ask(question), this)
    try {
      return { kind: 'done', settle: await work.run(member), member }
    } catch (error) {
      return member.hasLeft ? { kind: 'left' } : { kind: 'failed', error }
    } finally {
      this.running--
    }
  }

  private ask(question: PendingRead): void {
    if (this.isOver || this.failure) question.refuse(question.member.leave())
    else {
      this.questions.push(question)
      this.answering ??= this.askAll()
    }
  }

  /** Sends pending queries until none are left. */
  private async askAll(): Promise<void> {
    while (this.questions.length > 0) {
      await this.gathered()
      for (const same of byQuery(this.questions.splice(0))) await this.askSame(same)
    }
    this.answering = undefined
  }

  /**
   * Sends the same query of several units of work. After a failure of the database, no more queries are
   * sent.
   */
  private async askSame(questions: readonly PendingRead[]): Promise<void> {
    try {
      if (!this.failure) await batchReads(questions, this.connection, this.holders)
    } catch (error) {
      this.failure = { error }
    }
    if (this.failure) for (const { member, refuse } of questions) refuse(member.leave())
  }

  /** Waits until all units of work have pending queries, or a turn of the event loop brings no more. */
  private async gathered(): Promise<void> {
    for (let count = 0; count < this.questions.length && this.questions.length < this.running; ) {
      count = this.questions.length
      await nextTurn()
    }
  }
}

function byQuery(questions: readonly PendingRead[]): Iterable<PendingRead[]> {
  const all = new Map<object, PendingRead[]>()
  for (const question of questions) {
    const same = all.get(question.query)
    if (same) same.push(question)
    else all.set(question.query, [question])
  }
  return all.values()
}
