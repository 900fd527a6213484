import process from 'node:process'
import type { Json, JsonObject } from '../../terminal/client/client.js'
import { pause } from '../../terminal/command/interruption.js'

/** Milliseconds before each further attempt to forward an event. */
const BACKOFF = [1_000, 2_000, 5_000]
const TIMEOUT = 30_000

export interface Forwarding {
  forward(event: JsonObject): Promise<void>
  close(): Promise<void>
}

/** Forwards events to an address on this machine, in the form of a webhook, signed with `secret`. */
export async function openForwarding(
  url: string,
  secret: string,
  interrupted: AbortSignal,
): Promise<Forwarding> {
  const [{ forwardedNotification: forwarded }, { openOutgoing }, { systemClock }] = await Promise.all([
    import('../../../domain/webhooks/notification.js'),
    import('../../../platform/network/outgoing.js'),
    import('../../../platform/clock.js'),
  ])
  const http = openOutgoing({ reach: { loopback: true } })
  return {
    async forward(event) {
      for (const after of [...BACKOFF, undefined]) {
        const request = forwarded(messageOf(event), url, secret, systemClock.now())
        const { status, problem } = await http.post({
          ...request,
          milliseconds: TIMEOUT,
          stopping: interrupted,
        })
        process.stderr.write(`  → ${url}: ${problem ?? status}\n`)
        if ((status >= 200 && status < 300) || after === undefined || interrupted.aborted) return
        await pause(after, interrupted)
      }
    },
    close: async () => await http.close(),
  }
}

function messageOf(event: JsonObject) {
  return {
    id: String(event.id),
    trigger: String(event.trigger),
    triggered_at: String(event.triggered_at),
    triggered_on_id: String(event.triggered_on_id),
    triggered_on_object: String(event.triggered_on_object),
    triggered_on_value: textOf(event.triggered_on_value),
  }
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}
