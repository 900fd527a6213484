import { RAILS } from '../../test/gateways/contract/wire-servers.js'

/** One step of a gate, which runs for some minutes: the name of a long run, and its options. */
export interface GateStep {
  readonly gate: string
  readonly words: readonly string[]
  /** Position among the steps of the same run, from 1; it is also the seed. */
  readonly round: number
  /** Whether the step measures times, so that no other step may run beside it. */
  readonly isAlone?: true
}

const DATABASES = ['sqlite', 'postgres'] as const

/**
 * The gates of a release, in steps with different seeds. A stopped run continues with the next step. The first steps of
 * all runs come first, so that a stopped run has tried each of them. `share` is the part of the full size to run, from 0
 * to 1.
 */
export function gateSteps(share: number): readonly GateStep[] {
  const steps: readonly GateStep[] = [
    ...DATABASES.flatMap((database) =>
      repeated('crash', 10, share, ['--kills', '100', '--database', database]),
    ),
    ...repeated('fuzz', 30, share, ['--requests', '20000']),
    ...repeated('simulation', 32, share, ['--accounts', '30', '--days', '122']),
    ...RAILS.flatMap((rail) => repeated('gateway-faults', 4, share, ['--payments', '2500', '--rail', rail])),
    ...RAILS.flatMap((rail) => repeated('gateway-kills', 1, share, ['--kills', '20', '--rail', rail])),
    ...repeated('corruptions', 2, share, ['--size', '300']),
    ...DATABASES.flatMap((database) =>
      repeated('races', 5, share, ['--rounds', '10', '--database', database]),
    ),
    ...repeated('crash', 1, share, ['--kills', '100', '--database', 'pgbouncer']),
    ...repeated('standby', 1, share, ['--rounds', '10']).map((step) => ({ ...step, isAlone: true as const })),
    ...DATABASES.flatMap((database) => repeated('deliver-crash', 1, share, ['--database', database])),
    ...DATABASES.flatMap((database) => repeated('rotate-crash', 1, share, ['--database', database])),
    ...repeated('compare', 1, share, ['--operations', '10000']),
    ...repeated('wal-attacks', 1, share, ['--rounds', '30']),
    once('hostile-load'),
    once('bench-funding'),
    once('bench-verify'),
  ]
  return steps.toSorted((one, other) => one.round - other.round)
}

/** Steps of one long run, with the seeds 1, 2, …; at least one step. */
function repeated(
  gate: string,
  times: number,
  share: number,
  options: readonly string[],
): readonly GateStep[] {
  const count = Math.max(1, Math.round(times * share))
  return Array.from({ length: count }, (_, index) => ({
    gate,
    round: index + 1,
    words: [gate, ...options, '--seed', String(index + 1)],
  }))
}

function once(gate: string): GateStep {
  return { gate, round: 1, words: [gate], isAlone: true }
}
