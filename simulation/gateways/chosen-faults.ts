import { setTimeout as pause } from 'node:timers/promises'
import type { Fault, FaultyNetwork } from '../../test/gateways/contract/faulty-network.js'
import type { Chance } from '../../test/support/chance.js'

/** Faults of requests that move money or store a method. */
const FAULTS: readonly Fault[] = [
  'lost_before',
  'lost_after',
  'arrives_late',
  'slow',
  'unavailable',
  'too_many',
  'fails_after',
  'malformed',
  'huge',
  'odd_state',
  'odd_type',
]
/** Faults of all other requests, such as lists. */
const OTHER_FAULTS: readonly Fault[] = [
  'lost_before',
  'unavailable',
  'too_many',
  'malformed',
  'odd_state',
  'odd_type',
  'stuck',
]
/** Percentage of `huge` faults that are really huge. The others become `malformed`, because huge answers take long. */
const PERCENT_HUGE = 5
/** Divisor of the percentage of faults for requests that move no money. Finding one outcome may need many of them. */
const OTHERS = 3
/** Milliseconds of a client's wait: as seen by the stopwatch (longer than any circuit stays open), and in real time. */
const HELD_BACK = { shown: 31_000, real: 20 }

/** Makes a percentage of the requests to a rail fail, and counts the failures. */
export class ChosenFaults {
  count = 0
  private skipped = 0

  constructor(
    private readonly network: FaultyNetwork,
    private readonly chance: Chance,
    private readonly percent: number,
  ) {}

  /** Real milliseconds plus the waiting times that were skipped. */
  readonly stopwatch = { now: () => performance.now() + this.skipped }

  begin(): void {
    this.network.choose = () => this.choose(this.percent, FAULTS)
    this.network.chooseOther = () => this.choose(this.percent / OTHERS, OTHER_FAULTS)
  }

  end(): void {
    this.network.choose = () => undefined
    this.network.chooseOther = () => undefined
  }

  /** Waits like a client that received `Retry-After`. The stopwatch advances, although little real time passes. */
  readonly wait = async (): Promise<void> => {
    await pause(HELD_BACK.real)
    this.skip()
  }

  /** Advances the stopwatch until no circuit is open. */
  skip(): void {
    this.skipped += HELD_BACK.shown
  }

  private choose(percent: number, faults: readonly Fault[]): Fault | undefined {
    const { chance } = this
    if (!chance.percent(percent)) return undefined
    this.count++
    const fault = chance.pick(faults)
    return fault === 'huge' && !chance.percent(PERCENT_HUGE) ? 'malformed' : fault
  }
}
