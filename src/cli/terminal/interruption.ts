import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'

/** Aborted by Ctrl-C or SIGTERM, or when nobody reads the output any more, for commands that run until then. */
export function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  for (const event of ['error', 'close'] as const) process.stdout.once(event, () => controller.abort())
  return controller.signal
}

/** Resolves after so many milliseconds, or as soon as it is interrupted. */
export async function pause(milliseconds: number, interrupted: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal: interrupted }).catch((error: unknown) => {
    if (!interrupted.aborted) throw error
  })
}
