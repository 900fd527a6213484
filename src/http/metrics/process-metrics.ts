import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Model } from '../../model/model.js'
import type { Clock } from '../../platform/clock.js'

/** Upper bounds of the histogram of answers, in seconds. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** A run of a background job that has ended. */
export interface EndedRun {
  readonly job: string
  readonly environment: string
  /** Name of the gateway; an empty text for jobs of the environment. */
  readonly gateway: string
  readonly failed: boolean
}

/** Metrics of this process since it was started: CPU time, memory, answers and background jobs. */
export interface ProcessMetrics {
  readonly registry: Registry
  /** Counts a run of a background job. */
  ran(run: EndedRun): void
  /** Measures every answer of a server. */
  measure(server: FastifyInstance): void
}

export function processMetrics(model: Pick<Model, 'all'>, clock: Clock): ProcessMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const segments = new Set(model.all.map(({ plural }) => plural.replace(/\/.*/, '')))
  const answers = new Histogram({
    name: 'payctl_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'path', 'status'],
    buckets: SECONDS,
    registers,
  })
  const runs = new Counter({
    name: 'payctl_job_runs_total',
    help: 'Runs of background jobs',
    labelNames: ['name', 'environment', 'gateway', 'outcome'],
    registers,
  })
  const succeeded = new Gauge({
    name: 'payctl_job_last_success_timestamp_seconds',
    help: 'Time at which a background job last ended without a failure',
    labelNames: ['name', 'environment', 'gateway'],
    registers,
  })
  return {
    registry,
    ran({ job, environment, gateway, failed }) {
      // Prometheus itself sets a label `job`.
      const labels = { name: job, environment, gateway }
      runs.inc({ ...labels, outcome: failed ? 'failed' : 'succeeded' })
      if (!failed) succeeded.set(labels, clock.now() / 1_000)
    },
    measure(server) {
      server.addHook('onResponse', (request, reply, done) => {
        const status = `${Math.floor(reply.statusCode / 100)}xx`
        answers.observe(
          { method: request.method, path: pathOf(request, segments), status },
          reply.elapsedTime / 1_000,
        )
        done()
      })
    },
  }
}

/** A path without ids. For a path of the API this is the first segment, for other paths the pattern of the route. */
function pathOf({ url, routeOptions }: FastifyRequest, segments: ReadonlySet<string>): string {
  const [, first = ''] = url.split(/[/?]/, 2)
  if (routeOptions.url !== '*') return routeOptions.url ?? 'unknown'
  return segments.has(first) ? `/${first}` : 'unknown'
}
