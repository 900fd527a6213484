import type { RailAnswer, RailResponse } from '../platform/network/rail-client.js'
import type { MisconfiguredOutcome, NotSentOutcome, RefusalScope } from './contract.js'
import { shortProblem } from './short-problem.js'

/** Error that a rail throws when it cannot know the outcome of an operation. A rail never guesses an outcome. */
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

/** A query that the gateway refuses because of the credentials or the merchant. The queried outcome stays unknown. */
export class RefusedReading extends UnknownOutcome {
  readonly scope: RefusalScope

  constructor({ scope, problem }: Pick<MisconfiguredOutcome, 'scope' | 'problem'>) {
    super(problem)
    this.name = REFUSED
    this.scope = scope
  }
}

/** Whether an error is `Unanswered`. Compares names, not classes: a rail may bundle its own copy of the class. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.name === UNANSWERED
}

/** Scope of a refused query: the whole gateway or one merchant. Undefined for any other error. */
export function refusedScope(error: unknown): 'gateway' | 'merchant' | undefined {
  if (!(error instanceof Error) || error.name !== REFUSED || !('scope' in error)) return undefined
  return error.scope === 'gateway' ? 'gateway' : 'merchant'
}

/**
 * The gateway's response to an operation, or `not_sent` if the request certainly was not sent. Throws `Unanswered` if
 * the request may have arrived and no response came.
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
