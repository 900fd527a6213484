import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import type { Tx } from '../database/store.js'
import { StoreError } from '../database/store-error.js'
import { batchReads } from './batch-reads.js'
import { GroupMember, type PendingRead } from './group-member.js'
import { writingSteps } from './grouped-writes.js'
import type { PostgresConnection } from './postgres-connection.js'

/** A unit of work that may share a transaction with others. */
export interface Joining {
  /** Milliseconds for which it may still wait. */
  left(): number
  /** Runs it; the result settles the caller's promise once it is committed. */
  run(tx: Tx): Promise<() => void>
  /** Runs it by itself, as often as that takes; never rejects. */
  apart(): Promise<void>
  fail(error: unknown): void
}

/** What became of a unit of work. */
type Outcome =
  | { readonly kind: 'done'; readonly settle: () => void; readonly member?: GroupMember }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'left' }

/**
 * Units of work in lock step, in one transaction: they run at the same time, what several of them ask in the same turn is
 * asked once, and what they insert is written when all of them have decided. So all they read is what is committed, and
 * none sees what another one of the group is about to write.
 */
export class SharedTransaction {
  private outcomes: readonly Outcome[] = []
  private questions: PendingRead[] = []
  private answering: Promise<void> | undefined
  /** Works that have not ended yet. */
  private running: number
  /** Who holds which advisory lock: the database would grant it again to any other work of the same transaction. */
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
   * Runs all works, says when they have decided, and writes that. Rejects when the database does: then nothing is written.
   */
  async run(decided: () => void): Promise<void> {
    const outcomes = await Promise.all(this.works.map((work) => this.runOne(work)))
    while (this.answering !== undefined) await this.answering
    this.isOver = true
    if (this.failure) throw this.failure.error
    // A work that has left has done nothing, whatever it made of that. From here on nothing changes that any more.
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

  /** Tells everybody what became of their work, once it is committed. Those that have left run by themselves. */
  settle(): void {
    this.end((settle) => settle())
  }

  /** Tells everybody that nobody knows whether their work is committed. */
  lose(error: unknown): void {
    this.end((_, work) => work.fail(error))
  }

  /** Whether a work that was alone has failed by itself, and not by the database. */
  isRefusing(error: unknown): boolean {
    return this.works.length === 1 && !(error instanceof StoreError || error instanceof pg.DatabaseError)
  }

  /** Tells everybody why their work was not done. */
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

  /** A work that has the transaction for itself may do anything in it. */
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

  /** Asks what there is to be asked, as long as there is something. */
  private async askAll(): Promise<void> {
    while (this.questions.length > 0) {
      await this.gathered()
      for (const same of byQuery(this.questions.splice(0))) await this.askSame(same)
    }
    this.answering = undefined
  }

  /** Once the database has failed, nothing more is asked of it. */
  private async askSame(questions: readonly PendingRead[]): Promise<void> {
    try {
      if (!this.failure) await batchReads(questions, this.connection, this.holders)
    } catch (error) {
      this.failure = { error }
    }
    if (this.failure) for (const { member, refuse } of questions) refuse(member.leave())
  }

  /** Waits until all works ask something, or a turn of the event loop has brought no more of them. */
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
