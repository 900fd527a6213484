import { ApiError, invalidAttributes, unavailable } from '../../engine/core/request/api-error.js'
import type { Work } from '../../engine/core/write/work.js'
import type { GatewayRow } from '../../engine/store/database/tables.js'
import type { CheckedGateway, CreatedEndpoints, RemoteGateway } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import type { Gateways } from './gateways.js'
import {
  openCredentials,
  type RailDeclarations,
  sealCredentials,
  verifiesNotifications,
} from './sealed-credentials.js'
import { factsFor } from './test-gateway.js'

type Endpoints = NonNullable<RemoteGateway['endpoints']>

/** Host names of this machine, which no gateway can reach. */
const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/
/** Longest text of a problem in an answer, in characters. */
const MAX_PROBLEM = 500
/** Seconds until the request may be repeated. */
const RETRY_AFTER = 30

export interface EndpointOptions {
  readonly gateways: Gateways
  readonly rails: RailDeclarations
  /** Whether addresses on this machine are allowed, for tests. */
  readonly loopback: boolean
}

/**
 * Creates the endpoint for notifications at a gateway after the commit, and stores its secret. Earlier endpoints with
 * the same address are removed once the secret is committed. After a crash before that, they stay in use until the next
 * request.
 */
export async function createEndpoint(
  work: Work,
  { gateways, rails, loopback }: EndpointOptions,
  row: GatewayRow,
): Promise<GatewayRow> {
  const { endpoints } = await gateways.connect(work, row)
  if (!endpoints) throw invalidAttributes({ kind: 'Has no endpoints that can be created for it' })
  const facts = await factsFor(work, row)
  const problem = addressProblem(facts.endpoint, loopback)
  if (problem !== undefined) throw invalidAttributes({ notifications_url: problem })
  work.afterCommit({
    async perform() {
      const made = await orProblem(endpoints.create(facts))
      return async (later) => {
        if (typeof made === 'string') return unavailable(`It creates no endpoint: ${made}`, RETRY_AFTER)
        const refusal = await keepSecrets(later, { id: row.id, rails }, made)
        if (refusal) return refusal
        gateways.changed()
        later.afterCommit({ perform: async () => await replaced(endpoints, facts, made) })
        return undefined
      }
    },
  })
  return row
}

/**
 * Removes this installation's endpoints at a gateway after the commit. The request is refused if one cannot be removed.
 */
export async function removeEndpoint(work: Work, gateways: Gateways, row: GatewayRow): Promise<GatewayRow> {
  const { endpoints } = await gateways.connect(work, row)
  if (!endpoints) return row
  const facts = await factsFor(work, row)
  work.afterCommit({
    async perform() {
      const problem = await orProblem(removeOthers(endpoints, facts, []))
      return async () =>
        problem === undefined
          ? undefined
          : unavailable(`Its endpoint for ${facts.endpoint} could not be removed: ${problem}`, RETRY_AFTER)
    },
  })
  return row
}

/**
 * Stores the secrets of new endpoints with the gateway's credentials. Returns an error if the gateway was removed, or
 * changed outside payctl.
 */
async function keepSecrets(
  work: Work,
  { id, rails }: { readonly id: string; readonly rails: RailDeclarations },
  { secrets }: CreatedEndpoints,
): Promise<ApiError | undefined> {
  const row = await work.lock(resources.gateway, id)
  const problem = row && (await work.sealProblem('admin_gateways', id, row))
  const opened = row && problem === undefined ? openCredentials(work.vault, row) : undefined
  if (!row || !opened)
    return new ApiError('Conflict', problem ?? 'The gateway was removed: the new endpoint is not used')
  if (Object.keys(secrets).length === 0) return undefined
  const kept = { ...opened, ...secrets }
  const rail = rails[row.kind ?? '']
  await work.change(resources.gateway, id, {
    sealed_credentials: sealCredentials(work.vault, row, kept),
    ...(rail && { verifies_notifications: verifiesNotifications(kept, rail) }),
  })
  work.emit({ trigger: 'gateway', object: resources.gateway, id, value: 'endpoint', processingId: null })
  return undefined
}

/** Removes the endpoints that the new ones replace. */
async function replaced(endpoints: Endpoints, facts: CheckedGateway, { ids }: CreatedEndpoints) {
  const problem = await orProblem(removeOthers(endpoints, facts, ids))
  return async () =>
    problem === undefined
      ? undefined
      : unavailable(
          `The new endpoint is in use, but earlier ones could not be removed: ${problem}. Create it again`,
          RETRY_AFTER,
        )
}

async function removeOthers(
  endpoints: Endpoints,
  { endpoint }: CheckedGateway,
  ids: readonly string[],
): Promise<undefined> {
  const all = await endpoints.list()
  if (!ids.every((id) => all.some((each) => each.id === id)))
    throw new Error('another request has replaced it meanwhile')
  for (const { id, url } of all) if (url === endpoint && !ids.includes(id)) await endpoints.remove(id)
}

/** The result of a call, or the reason why it has failed. */
async function orProblem<T>(call: Promise<T>): Promise<T | string> {
  try {
    return await call
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).slice(0, MAX_PROBLEM)
  }
}

/** Reason why a gateway cannot notify an address; undefined if it can. */
function addressProblem(address: string, loopback: boolean): string | undefined {
  const { protocol, hostname } = new URL(address)
  if (loopback && LOCAL.test(hostname)) return undefined
  if (LOCAL.test(hostname))
    return `${address} is on this machine, where no gateway reaches it: payctl config set public-url https://…, or PAYCTL_PUBLIC_URL`
  return protocol === 'https:' ? undefined : `${address} has to begin with https://`
}
