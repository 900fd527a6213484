import type { RailAnswer, RailResponse } from '../platform/network/rail-client.js'
import type { MisconfiguredOutcome, NotSentOutcome, RefusalScope } from './contract.js'
import { shortProblem } from './short-problem.js'

/** Thrown by a rail, which never guesses, when the outcome of an operation is unknown. */
export class UnknownOutcome extends Error {
  constructor(reason: string) {
    super(shortProblem(reason))
    this.name = 'UnknownOutcome'
  }
}

const UNANSWERED = 'Unanswered'
const REFUSED = 'RefusedReading'

/** An outcome that is unknown because no answer came. */
export class Unanswered extends UnknownOutcome {
  constructor(reason: string) {
    super(reason)
    this.name = UNANSWERED
  }
}

/** A query that the gateway refuses, as it refuses operations: what it was about stays unknown. */
export class RefusedReading extends UnknownOutcome {
  readonly scope: RefusalScope

  constructor({ scope, problem }: Pick<MisconfiguredOutcome, 'scope' | 'problem'>) {
    super(problem)
    this.name = REFUSED
    this.scope = scope
  }
}

/** Compares the name, as a rail may be loaded from a file that has the class again. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.name === UNANSWERED
}

/** Reach of a refused query; undefined for any other error. */
export function refusedScope(error: unknown): 'gateway' | 'merchant' | undefined {
  if (!(error instanceof Error) || error.name !== REFUSED || !('scope' in error)) return undefined
  return error.scope === 'gateway' ? 'gateway' : 'merchant'
}

/**
 * The response to an operation, or the fact that it certainly was not sent. Throws `UnknownOutcome` where it may have
 * arrived without a response.
 */
export function responseOrNotSent(answer: RailAnswer): RailResponse | NotSentOutcome {
  switch (answer.kind) {
    case 'answered':
      return answer
    case 'not_sent':
      return { result: 'not_sent', problem: answer.problem }
    case 'unanswered':
      throw new Unanswered(answer.problem)
  }
}
