import type { Work } from '../../../engine/core/write/work.js'
import type { Row } from '../../../schema/columns.js'

/**
 * Error: a credential, or a row that it depends on, does not match its newest seal. The credential is refused as if
 * it were unknown.
 */
export class NotAsSealed extends Error {
  constructor(problem: string) {
    super(`A credential was refused. ${problem}; run payctl verify`)
    this.name = 'NotAsSealed'
  }
}

/**
 * Throws `NotAsSealed` for a row that does not match its newest seal, because something other than the service has
 * written it.
 */
export async function expectSealed(
  work: Pick<Work, 'sealProblem'>,
  table: string,
  row: Row & { readonly id: string },
): Promise<void> {
  const problem = await work.sealProblem(table, row.id, row)
  if (problem !== undefined) throw new NotAsSealed(problem)
}

/** Reports why credentials were refused, once for each reason, so that they do not fill the log. */
export class RefusalReports {
  private readonly reported = new Set<string>()

  constructor(private readonly report: (error: unknown) => void) {}

  /** Runs `job`. Returns its result, or `refused` if a row does not match its seal. */
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
