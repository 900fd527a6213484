import { Counter, Gauge, Registry } from 'prom-client'
import type { ApiResponse } from '../../engine/core/request/request.js'
import { TRIGGERS } from '../../resources/trigger.js'

/** Answers to a GET request for a path below `/admin`. */
type Read = (path: string, query: Readonly<Record<string, string>>) => Promise<ApiResponse>

/** Metrics of an environment, read from its database when they are requested. */
export interface EnvironmentMetrics {
  readonly registry: Registry
  /** Reads the present values; answers a refusal if there is one. Requests take turns, so that no event is counted twice. */
  refresh(read: Read): Promise<ApiResponse | undefined>
}

export function environmentMetrics(environment: string): EnvironmentMetrics {
  const registry = new Registry()
  registry.setDefaultLabels({ environment })
  const registers = [registry]
  const gauge = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Gauge({ name, help, labelNames, registers })
  const events = new Counter({
    name: 'payctl_events_total',
    help: 'Events by trigger, of all processes, since this one was first read',
    labelNames: ['trigger'],
    registers,
  })
  for (const trigger of TRIGGERS) events.inc({ trigger }, 0)
  const waiting = gauge('payctl_waiting', 'Length of each queue', ['queue'])
  const commits = gauge('payctl_sealed_commits', 'Number of the last sealed commit of the books', [])
  const attention = gauge('payctl_attention', 'Lines of payctl status', ['check', 'state'])
  const up = gauge('payctl_gateway_up', 'Whether a gateway takes operations', ['gateway', 'kind'])

  let since: string | undefined
  const readAll = async (read: Read): Promise<ApiResponse | undefined> => {
    const answers = [
      await read('counts', since === undefined ? {} : { since }),
      await read('status', {}),
      await read('gateways', { fields: 'name,kind,status,circuit_opened_at' }),
    ]
    const refusal = answers.find(({ status }) => status !== 200)
    if (refusal) return refusal
    const [counts = {}, { lines } = {}, { values } = {}] = answers.map(({ body }) => body)
    for (const { trigger, count } of rowsOf(counts['events']))
      events.inc({ trigger: String(trigger) }, Number(count))
    since = String(counts['until'])
    for (const { queue, count } of rowsOf(counts['waiting']))
      waiting.set({ queue: String(queue) }, Number(count))
    commits.set(Number(counts['commits']))
    attention.reset()
    for (const { check, state } of rowsOf(lines))
      attention.inc({ check: String(check), state: String(state) })
    up.reset()
    for (const { name, kind, status, circuit_opened_at: openedAt } of rowsOf(values))
      up.set({ gateway: String(name), kind: String(kind) }, status === 'active' && openedAt === null ? 1 : 0)
    return undefined
  }

  let last: Promise<unknown> = Promise.resolve()
  return {
    registry,
    refresh(read) {
      const next = last.then(() => readAll(read))
      last = next.catch(() => undefined)
      return next
    },
  }
}

function rowsOf(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value : []
}
