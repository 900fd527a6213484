import type { RailClient } from './rail-client.js'

/** Milliseconds of a job's turn at a gateway. */
const TURN_MILLISECONDS = 30_000
/** Bytes of answers that are read in a turn: 32 MiB, of which all may be in memory at once. */
const TURN_BYTES = 32 * 1024 * 1024
/** Doublings of a turn's time, after turns that were cut off and have achieved nothing: 8 minutes. */
const MAX_DOUBLINGS = 4

/** Time and bytes in which a job may read from one gateway. */
export class Turn {
  /** Aborted at the end of the turn, also when the process stops. */
  readonly signal: AbortSignal
  private left = TURN_BYTES

  constructor(
    private readonly milliseconds: number,
    stopping: AbortSignal | undefined,
  ) {
    const deadline = AbortSignal.timeout(milliseconds)
    this.signal = stopping ? AbortSignal.any([deadline, stopping]) : deadline
  }

  /** Reason why nothing more may be read; undefined during the turn. */
  get end(): string | undefined {
    if (this.signal.aborted) return `It does not come to an end within ${this.milliseconds / 1_000} s`
    return this.left <= 0 ? `It does not come to an end within ${TURN_BYTES} bytes` : undefined
  }

  /** A client whose requests end with the turn. What it reads counts. */
  client(http: RailClient): RailClient {
    return {
      send: async (request) => {
        if (this.end !== undefined) return { kind: 'not_sent', problem: this.end }
        const answer = await http.send({ ...request, stopping: this.signal })
        if (answer.kind === 'answered') this.left -= answer.bytes
        return this.signal.aborted && answer.kind === 'unanswered'
          ? { kind: 'unanswered', problem: this.end ?? answer.problem }
          : answer
      },
      close: () => http.close(),
    }
  }
}

/**
 * The turns of one job at one gateway. An honest list may need longer for its first entries than a turn lasts: a turn that
 * was cut off without progress is followed by one of twice the time.
 */
export class TurnSeries {
  private doublings = 0

  begin(stopping?: AbortSignal): Turn {
    return new Turn(TURN_MILLISECONDS * 2 ** this.doublings, stopping)
  }

  /** Notes whether a turn was cut off before anything was achieved. */
  ended(isFruitless: boolean): void {
    this.doublings = isFruitless ? Math.min(this.doublings + 1, MAX_DOUBLINGS) : 0
  }
}
