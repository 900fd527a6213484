import type { DueJob } from '../engine/jobs/due-job.js'

/** Names of the jobs that are due at each gateway outside this machine, in the order in which they run. */
export const GATEWAY_JOBS = [
  'expire_authorizations',
  'settlements',
  'read_disputes',
  'automatic_payments',
] as const

export type GatewayJobName = (typeof GATEWAY_JOBS)[number]

/** The jobs of one gateway. */
export type JobsAtGateway = Readonly<Record<GatewayJobName, DueJob>>
