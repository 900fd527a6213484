import { createPublicKey } from 'node:crypto'
import type { Steps } from '../../../engine/core/write/rule.js'
import type { Work } from '../../../engine/core/write/work.js'
import { CHECKPOINT_COMMITS, checkpointText } from '../../../engine/store/books/checkpoint.js'
import { commitProblems } from '../../../engine/store/books/commit-problems.js'
import { booksProblem, type KnownBooks } from '../../../engine/store/books/compare-head.js'
import { leafHash } from '../../../engine/store/books/merkle.js'
import {
  checkpointsAfter,
  commitsAfter,
  entriesIn,
  entryCount,
} from '../../../engine/store/books/read-log.js'
import { type LogEnd, lastSealed, NOTHING_SEALED } from '../../../engine/store/books/seal-log.js'
import { isGenuine } from '../../../engine/store/books/seal-queue.js'
import { MAX_INDEXED, SealedIndex } from '../../../engine/store/books/sealed-index.js'
import { readSealedRow, readSealedRows, type SealedRow } from '../../../engine/store/books/sealed-row.js'
import {
  namedRow,
  type SealedTable,
  sealedName,
  sealedTables,
  writeRemoved,
} from '../../../engine/store/books/sealed-table.js'
import { type SignedHead, signedHeadProblem } from '../../../engine/store/books/signed-head.js'
import { isSignedThreaded, signingKey } from '../../../engine/store/books/signing-key.js'
import { type Finding, findingsOf } from '../pass/finding.js'
import { type Examined, PAGE, pagesFrom } from '../pass/pass.js'

const CHECK = 'sealed books'

/** Maximum number of commits without a checkpoint. One unit of work may make several commits. */
const MAX_UNSIGNED = 2 * CHECKPOINT_COMMITS

/**
 * Proves that the books are as they were sealed: the chain of commits, their key, the signed checkpoints, and every
 * row about money. Each row is as its last commit left it; none is missing and none added. Each page is one consistent
 * read, which includes the commits made since the previous page.
 */
export async function* sealedBooks(
  { read }: Pick<Steps, 'read'>,
  knownBooks: () => KnownBooks,
  elsewhere?: SignedHead,
): AsyncGenerator<Examined> {
  // Read before the log: the head must not be newer.
  const known = knownBooks()
  const problem = await read(async ({ tx }) => await booksProblem(tx, known))
  if (problem !== undefined) yield { count: 0, findings: findingsOf(CHECK, 'head', [problem]) }
  if (elsewhere) yield { count: 1, findings: await read((work) => elsewhereFindings(work, elsewhere)) }
  yield* checkpoints(read)
  const entries = await read(async ({ tx }) => await entryCount(tx))
  const parts = Math.max(1, Math.ceil(entries / MAX_INDEXED))
  for (let part = 0; part < parts; part++) yield* new SealedPart(read, part, parts, entries / parts).examine()
}

async function elsewhereFindings({ tx, vault, environment }: Work, head: SignedHead): Promise<Finding[]> {
  const problem = await signedHeadProblem(tx, head, { environment, keyed: vault.hash })
  return problem === undefined ? [] : findingsOf(CHECK, 'head elsewhere', [problem])
}

async function* checkpoints(read: Steps['read']): AsyncGenerator<Examined> {
  yield* pagesFrom(0, async (after) => {
    const { rows, last, environment, keyed } = await read(async ({ tx, vault, environment }) => ({
      rows: await checkpointsAfter(tx, after),
      last: await lastSealed(tx),
      environment,
      keyed: vault.hash,
    }))
    const key = createPublicKey(signingKey(keyed))
    const findings = await Promise.all(
      rows.map(async ({ id: number, hash, logged, signed_at, signature }) => {
        const text = checkpointText({ environment, number, hash, signed_at })
        return findingsOf(CHECK, `checkpoint ${number}`, [
          ...((await isSignedThreaded(key, text, signature))
            ? []
            : ['It is not signed with the key of this home']),
          ...(logged === hash ? [] : ['The log has no commit of its number, or another one']),
        ])
      }),
    )
    const signed = [after, ...rows.map(({ id }) => id), ...(rows.length === 0 ? [last.number] : [])]
    return {
      last: rows.at(-1)?.id,
      count: rows.length,
      findings: [...unsignedFindings(signed, rows.length === 0), ...findings.flat()],
    }
  })
}

/**
 * Finds missing checkpoints: a log with commits has at least one, and few commits lie between two of them. `signed` are
 * numbers of checkpoints in sequence, and after the last one the number of the last commit.
 */
function unsignedFindings(signed: readonly number[], isLast: boolean): Finding[] {
  return signed.flatMap((number, n) => {
    const before = signed[n - 1] ?? number
    const isMissing = number - before > (before === 0 && isLast ? 0 : MAX_UNSIGNED)
    return isMissing
      ? findingsOf(CHECK, `commit ${before + 1}`, [`No checkpoint is left up to ${number}`])
      : []
  })
}

/** Examines one part of all rows at a time, so that the last digest of each row fits into memory. */
class SealedPart {
  private readonly index: SealedIndex
  private head: LogEnd = NOTHING_SEALED

  constructor(
    private readonly read: Steps['read'],
    private readonly part: number,
    parts: number,
    expected: number,
  ) {
    this.index = new SealedIndex(part, parts, expected)
  }

  async *examine(): AsyncGenerator<Examined> {
    for (let isMore = true; isMore; ) {
      const page = await this.read(async (work) => await this.readLog(work))
      yield { count: page.count, findings: page.findings }
      isMore = page.count > 0
    }
    for (const table of sealedTables().values()) yield* this.rows(table)
    if (this.index.unseen > 0) yield* this.missing()
  }

  /** Reads the next commits of the log: each follows from the previous one, and was made with the home's key. */
  private async readLog({ tx, vault }: Work): Promise<Examined> {
    const commits = await commitsAfter(tx, this.head.number)
    const findings: Finding[] = []
    for (const commit of commits) {
      const problems = commitProblems(commit, this.head, vault.hash)
      // Each part reads the log; only the first part reports its problems.
      if (this.part === 0) findings.push(...findingsOf(CHECK, `commit ${commit.id}`, problems))
      this.note(commit)
      this.head = { number: commit.id, hash: commit.hash, control: commit.control }
    }
    return { count: commits.length, findings }
  }

  /** Reads the commits made since the log was read: the rest of the log, and the queue of rows to be sealed. */
  private async catchUp(work: Work): Promise<Finding[]> {
    const findings: Finding[] = []
    for (let count = 1; count > 0; ) {
      const page = await this.readLog(work)
      findings.push(...page.findings)
      count = page.count
    }
    for (const queued of await genuinelyQueued(work)) this.note(queued)
    return findings
  }

  /** Notes the last digests of rows of this part, from an entry of the log or of the queue. */
  private note(row: Parameters<typeof entriesIn>[0]): void {
    for (const { name, leaf } of entriesIn(row) ?? []) if (this.index.holds(name)) this.index.set(name, leaf)
  }

  private async *rows(table: SealedTable): AsyncGenerator<Examined> {
    yield* pagesFrom(table.beforeIds, (after) =>
      this.read(async (work) => {
        const findings = await this.catchUp(work)
        const rows = await readSealedRows(work.tx, table, after, PAGE)
        for (const row of rows) findings.push(...this.rowFindings(row))
        const last = rows.at(-1)
        return { last: last && table.idOf(last.values), count: this.part === 0 ? rows.length : 0, findings }
      }),
    )
  }

  private rowFindings({ table, values }: SealedRow): Finding[] {
    const id = table.idOf(values)
    const name = sealedName(table.object, id)
    if (!this.index.holds(name)) return []
    const isSame = this.index.find(name, leafHash(table.write(values)))
    if (isSame ?? table.followsFromAnother(values)) return []
    const problem =
      isSame === undefined
        ? `This ${table.object} was never sealed: something other than payctl wrote it`
        : `This ${table.object} is not what was sealed last: something other than payctl changed it`
    return findingsOf(CHECK, id, [problem])
  }

  /** Rows that were sealed but not seen: they are gone, unless they were written after their table was read. */
  private async *missing(): AsyncGenerator<Examined> {
    yield* pagesFrom(0, (after) =>
      this.read(async (work) => {
        const findings = await this.catchUp(work)
        const commits = await commitsAfter(work.tx, after)
        const last = commits.at(-1)?.id
        const sealed = last === undefined ? await genuinelyQueued(work) : commits
        for (const { name } of sealed.flatMap((each) => entriesIn(each) ?? []))
          if (this.index.holds(name) && this.index.isUnseen(name))
            findings.push(...(await this.missingFindings(work, name)))
        return { last, count: 0, findings }
      }),
    )
  }

  private async missingFindings({ tx }: Work, name: string): Promise<Finding[]> {
    const { object, id } = namedRow(name)
    if (this.index.find(name, leafHash(writeRemoved(object, id)))) return []
    const row = await readSealedRow(tx, name)
    if (row) return this.rowFindings(row)
    return findingsOf(CHECK, id, [
      `This ${object} was sealed and is gone: something other than payctl removed it`,
    ])
  }
}

/** Rows that wait to be sealed (PostgreSQL), and were written by a process that holds the key file. */
async function genuinelyQueued({ tx, vault }: Work) {
  const queue = await tx.db.selectFrom('seal_queue').selectAll().orderBy('id').execute()
  return queue.filter((queued) => isGenuine(queued, vault.hash))
}
