import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'

/** A signal for commands that run until interrupted: aborted by Ctrl-C, SIGTERM, or a closed output. */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  for (const event of ['error', 'close'] as const) process.stdout.once(event, () => controller.abort())
  return controller.signal
}

/** Resolves after this time, or as soon as `interrupted` is aborted. */
export async function pause(milliseconds: number, interrupted: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal: interrupted }).catch((error: unknown) => {
    if (!interrupted.aborted) throw error
  })
}
