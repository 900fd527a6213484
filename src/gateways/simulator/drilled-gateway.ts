import type { Timers } from '../../platform/clock.js'
import type { Random } from '../../platform/random.js'
import type { Gateway } from '../contract.js'
import type { Drill } from './drill.js'

/** The simulator, or one that is late, fails or loses answers where a drill says so. */
export async function simulatedGateway(
  drill: Drill | undefined,
  effects: { readonly random: Random; readonly timers: Timers },
): Promise<Gateway> {
  if (!drill || drill.latency + drill.failRate + drill.loseAnswers === 0)
    return (await import('./simulator.js')).simulator
  const { drilledSimulator } = await import('./drill.js')
  return drilledSimulator(drill, effects)
}
