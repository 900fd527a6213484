import type { Work } from '../../../engine/core/write/work.js'
import type { Row } from '../../../schema/columns.js'

/** A credential, or a row that it depends on, is not as it was sealed last: it is refused as if it were unknown. */
export class NotAsSealed extends Error {
  constructor(problem: string) {
    super(`A credential was refused. ${problem}; run payctl verify`)
    this.name = 'NotAsSealed'
  }
}

/** Throws `NotAsSealed` for a row that something other than the service has written. */
export async function expectSealed(
  work: Pick<Work, 'sealProblem'>,
  table: string,
  row: Row & { readonly id: string },
): Promise<void> {
  const problem = await work.sealProblem(table, row.id, row)
  if (problem !== undefined) throw new NotAsSealed(problem)
}

/** Reports why a credential was refused, once for each reason, so that a log is not full of them. */
export class RefusalReports {
  private readonly reported = new Set<string>()

  constructor(private readonly report: (error: unknown) => void) {}

  /** Result of `job`; `refused` if a row is not as it was sealed. */
  async answer<T, R>(job: () => Promise<T>, refused: R): Promise<T | R> {
    try {
      return await job()
    } catch (error) {
      if (!(error instanceof NotAsSealed)) throw error
      this.note(error)
      return refused
    }
  }

  private note(error: NotAsSealed): void {
    if (this.reported.has(error.message)) return
    if (this.reported.size >= MAX_REPORTED) this.reported.clear()
    this.reported.add(error.message)
    this.report(error)
  }
}

const MAX_REPORTED = 1_000
