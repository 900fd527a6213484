import type { Timers } from '../../platform/clock.js'
import type { Random } from '../../platform/random.js'
import type { Gateway } from '../contract.js'
import type { Drill } from './drill.js'

/** The simulator; with a drill, a simulator that is slow, fails or loses answers as the drill says. */
export async function simulatedGateway(
  drill: Drill | undefined,
  effects: { readonly random: Random; readonly timers: Timers },
): Promise<Gateway> {
  if (!drill || drill.latency + drill.failRate + drill.loseAnswers === 0)
    return (await import('./simulator.js')).simulator
  const { drilledSimulator } = await import('./drill.js')
  return drilledSimulator(drill, effects)
}
