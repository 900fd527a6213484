import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import type { App } from '../../app.js'
import { keyHolder } from '../api/key-holder.js'
import type { RateLimits } from '../api/rate-limits.js'
import { send } from '../api/send-answer.js'
import { environmentMetrics } from './environment-metrics.js'
import type { ProcessMetrics } from './process-metrics.js'

interface MetricsDependencies {
  readonly app: App
  readonly rates: RateLimits
  readonly metrics: ProcessMetrics
}

/** Path of the metrics in the text format of Prometheus. */
const METRICS = '/metrics'

/**
 * Serves metrics of this process and of the environment of the caller's key, which must see the whole environment. They
 * contain neither amounts nor customers.
 */
export function serveMetrics(server: FastifyInstance, { app, rates, metrics }: MetricsDependencies): void {
  const environments = { test: environmentMetrics('test'), live: environmentMetrics('live') }
  server.get(METRICS, async (request, reply) => {
    const { environment, principal } = await keyHolder(request, reply, { app, rates })
    const { core } = await app.environment(environment)
    const own = environments[environment]
    const refusal = await own.refresh((path, query) =>
      core.handle({
        method: 'GET',
        path: `/admin/${path}`,
        query: Object.entries(query),
        through: 'http',
        requestId: request.id,
        principal,
      }),
    )
    if (refusal) return send(reply, refusal.status, refusal.body, refusal.headers)
    const texts = await Promise.all([metrics.registry.metrics(), own.registry.metrics()])
    return send(reply, 200, texts.join('\n'), { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE })
  })
}
