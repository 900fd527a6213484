import { Counter, Gauge, Registry } from 'prom-client'
import type { ApiResponse } from '../../engine/core/request/request.js'
import { answeredText, objectsIn } from '../../schema/answer-values.js'
import type { JsonObject } from '../../schema/json.js'

/** Answers to a GET request for a path below `/admin`. */
type Read = (path: string, query: Readonly<Record<string, string>>) => Promise<ApiResponse>

/** Metrics of an environment, read from its database when they are requested. */
export interface EnvironmentMetrics {
  readonly registry: Registry
  /**
   * Reads the present values; returns a refusal of the core if there is one. Requests take turns, so that no event is
   * counted twice.
   */
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
  const waiting = gauge('payctl_waiting', 'Length of each queue', ['queue'])
  const commits = gauge('payctl_sealed_commits', 'Number of the last sealed commit of the books', [])
  const attention = gauge('payctl_attention', 'Lines of payctl status', ['check', 'state'])
  const up = gauge('payctl_gateway_up', 'Whether a gateway takes operations', ['gateway', 'kind'])

  let since: string | undefined
  const show = ({ counts = {}, status = {}, gateways = {} }: Record<string, JsonObject>): void => {
    since = answeredText(counts, 'until')
    for (const row of objectsIn(counts, 'events'))
      events.inc({ trigger: textIn(row, 'trigger') }, Number(row['count']))
    for (const row of objectsIn(counts, 'waiting'))
      waiting.set({ queue: textIn(row, 'queue') }, Number(row['count']))
    commits.set(Number(counts['commits']))
    attention.reset()
    for (const row of objectsIn(status, 'lines'))
      attention.inc({ check: textIn(row, 'check'), state: textIn(row, 'state') })
    up.reset()
    for (const row of objectsIn(gateways))
      up.set({ gateway: textIn(row, 'name'), kind: textIn(row, 'kind') }, isUp(row) ? 1 : 0)
  }
  const readAll = async (read: Read): Promise<ApiResponse | undefined> => {
    const [counts, status, gateways] = [
      await read('counts', since === undefined ? {} : { since }),
      await read('status', {}),
      await read('gateways', { fields: 'name,kind,status,circuit_opened_at' }),
    ]
    const refusal = [counts, status, gateways].find((answer) => answer.status !== 200)
    if (!refusal) show({ counts: counts.body, status: status.body, gateways: gateways.body })
    return refusal
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

function textIn(row: JsonObject, name: string): string {
  return answeredText(row, name) ?? ''
}

function isUp({ status, circuit_opened_at: openedAt }: JsonObject): boolean {
  return status === 'active' && openedAt === null
}
