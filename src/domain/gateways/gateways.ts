import { ApiError, unavailable } from '../../engine/core/request/api-error.js'
import type { Work } from '../../engine/core/write/work.js'
import type { Environment } from '../../engine/store/database/store.js'
import type { GatewayRow, TransactionRow } from '../../engine/store/database/tables.js'
import type { Gateway, GatewayMethod, RemoteGateway } from '../../gateways/contract.js'
import type { Clock } from '../../platform/clock.js'
import type { ReadBudget } from '../../platform/network/read-budget.js'
import { hasForgotten } from './catching-up.js'
import { closedGateway } from './closed-gateway.js'
import { type ComparedTable, type Configured, ConfiguredGateways, type Used } from './configured-gateways.js'
import { DEFAULT_ROUTE, routeId } from './route-id.js'
import { openCredentials, type Secrets } from './sealed-credentials.js'

/** A configured gateway with its connection. */
export interface GatewayConfiguration {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly environment: Environment
  readonly baseUrl: string | null
  readonly merchant: string | null
  /** Merchants of its routes, other than its own. */
  readonly merchants: readonly string[]
  readonly secrets: Secrets
}

/** Makes the connection to a configured gateway, and loads its rail. */
export type ConnectGateway = (configuration: GatewayConfiguration) => Promise<RemoteGateway>

export interface GatewaysOptions {
  readonly environment: Environment
  /** Gateway for operations without a route: in the test environment the simulator. */
  readonly fallback: Gateway | undefined
  readonly connect: ConnectGateway
  /** Measures the age of the cached configuration. */
  readonly stopwatch: Clock
}

/** Facts by which a new operation is routed. */
export interface Routing {
  readonly method: GatewayMethod['type']
  readonly processingId: string
}

/** Gateway and merchant of a new operation. */
export interface Routed {
  readonly gateway: Gateway
  /** The merchant's account there; null means the gateway's own. */
  readonly merchant: string | null
}

/** A gateway by its name, and the merchant there; null means the gateway's own. */
export interface GatewayAccount {
  readonly gateway: string
  readonly merchant: string | null
}

/** Seconds until a client may try again. */
const RETRY_AFTER = 30

/** A connection, with the configuration from which its circuits were last set. */
interface Connected {
  readonly key: string
  readonly gateway: RemoteGateway
  followed: Configured | undefined
}

/** The gateways of an environment: those that operators have configured, and the fallback (in test the simulator). */
export class Gateways {
  private readonly configuration: ConfiguredGateways
  private readonly connected = new Map<string, Connected>()

  constructor(private readonly options: GatewaysOptions) {
    this.configuration = new ConfiguredGateways(options)
  }

  /** Clears the cache; called by the unit of work that has changed the configuration, before it commits. */
  changed(): void {
    this.configuration.changed()
  }

  /**
   * Gateway and merchant of a new operation. Throws `ServiceUnavailable` without a route, or when the gateway is
   * paused.
   */
  async forNew(work: Work, routing: Routing): Promise<Routed> {
    const destination = await this.destination(work, routing)
    if (destination)
      return { gateway: await this.open(work, destination.row), merchant: destination.merchant }
    const { fallback } = this.options
    if (fallback) return { gateway: await this.expectSending(work, fallback), merchant: null }
    throw this.notConnected()
  }

  /**
   * Gateway and merchant of a new operation, as `forNew` decides; undefined where `forNew` throws `ServiceUnavailable`.
   */
  async routedNow(work: Work, routing: Routing): Promise<Routed | undefined> {
    try {
      return await this.forNew(work, routing)
    } catch (error) {
      if (error instanceof ApiError && error.type === 'ServiceUnavailable') return undefined
      throw error
    }
  }

  /**
   * Kinds of method that a gateway has refused for a merchant. A kind is removed when the gateway accepts it or passes
   * a test.
   */
  async refusedKinds(
    work: Work,
    { id, merchant: own }: GatewayRow,
    merchant: string | null,
  ): Promise<ReadonlySet<string>> {
    const { circuits } = await this.configuration.current(work)
    const subject = merchant === own ? '' : (merchant ?? '')
    const refused = circuits.filter((each) => each.gateway_id === id && each.subject === subject)
    return new Set(refused.map(({ scope }) => scope))
  }

  /** All gateways and merchants to which payments by a kind of method may go, for any processing account. */
  async destinations(work: Work, method: Routing['method']): Promise<readonly GatewayAccount[]> {
    const { routes } = await this.configuration.current(work)
    const accounts = new Set(['', ...routes.map(({ processing_id: id }) => id ?? '')])
    const { fallback } = this.options
    const found: GatewayAccount[] = []
    for (const processingId of accounts) {
      const destination = await this.destination(work, { method, processingId })
      if (destination) {
        const { row, merchant } = destination
        found.push({ gateway: row.name ?? row.id, merchant })
      } else if (fallback) found.push({ gateway: fallback.name, merchant: null })
    }
    return found
  }

  /**
   * Gateway and merchant that the most specific route leads to; undefined without one. Throws `ServiceUnavailable` when
   * that route, or a more specific one, was changed, added or removed outside payctl.
   */
  private async destination(
    work: Work,
    routing: Routing,
  ): Promise<{ readonly row: GatewayRow; readonly merchant: string | null } | undefined> {
    const configured = await this.configuration.current(work)
    const isRouted = configured.rows.length + configured.routes.length > 0
    // Without any gateway no account has a route of its own.
    for (const id of isRouted ? routeIds(routing) : [DEFAULT_ROUTE]) {
      const route = configured.routes.find((each) => each.id === id)
      await this.expectSealed(work, configured, 'gateway_routes', { id, row: route })
      if (!route) continue
      const { gateway_id: gatewayId, merchant } = route
      const row = configured.rows.find((each) => each.id === gatewayId)
      if (row) return { row, merchant }
      await this.expectSealed(work, configured, 'admin_gateways', { id: gatewayId, row })
      return undefined
    }
    return undefined
  }

  private async expectSealed(
    work: Work,
    configured: Configured,
    table: ComparedTable,
    used: Used,
  ): Promise<void> {
    const problem = await this.configuration.sealProblem(work, configured, table, used)
    if (problem !== undefined)
      throw unavailable(
        `${problem}. No payment is sent until it is as it was, or set anew: payctl gateways route`,
        RETRY_AFTER,
      )
  }

  /** The gateway of a stored transaction. Throws `ServiceUnavailable` when it is gone, or paused. */
  async of(work: Work, { gateway }: Pick<TransactionRow, 'gateway'>): Promise<Gateway> {
    const row = await this.rowNamed(work, gateway)
    if (row) return await this.open(work, row)
    const fallback = this.fallbackFor(gateway)
    if (fallback) return await this.expectSending(work, fallback)
    throw new ApiError('ServiceUnavailable', `The gateway ${gateway} that took it is not connected any more`)
  }

  /**
   * Gateway for queries and operations on an earlier transaction, even while it is paused; undefined when it is gone.
   */
  async forStatus(
    work: Work,
    { gateway }: Pick<TransactionRow, 'gateway'>,
  ): Promise<RemoteGateway | undefined> {
    const row = await this.rowNamed(work, gateway)
    if (row) return await this.connect(work, row)
    const fallback = this.fallbackFor(gateway)
    return fallback?.kind === 'remote' ? fallback : undefined
  }

  /** Names of the gateways outside this machine. */
  async names(work: Work): Promise<readonly string[]> {
    const { rows } = await this.configuration.current(work)
    const { fallback } = this.options
    const own = fallback?.kind === 'remote' ? [fallback.name] : []
    return [...rows.map(({ id, name }) => name ?? id), ...own]
  }

  /** Name of the gateway of a stored transaction, if it is outside this machine; otherwise undefined. */
  async laneOf(work: Work, { gateway }: Pick<TransactionRow, 'gateway'>): Promise<string | undefined> {
    const name = gateway ?? this.options.fallback?.name
    return (await this.names(work)).find((each) => each === name)
  }

  /** Name of the gateway outside this machine to which a new operation is routed; undefined if there is none. */
  async laneOfNew(work: Work, routing: Routing): Promise<string | undefined> {
    const { rows, routes } = await this.configuration.current(work)
    const [route] = routeIds(routing).flatMap((id) => routes.find((each) => each.id === id) ?? [])
    const row = rows.find((each) => each.id === route?.gateway_id)
    return row ? (row.name ?? row.id) : await this.laneOf(work, { gateway: null })
  }

  /** A gateway outside this machine by its name, with its configuration if it has one. */
  async withRow(
    work: Work,
    name: string,
  ): Promise<{ readonly gateway: RemoteGateway; readonly row: GatewayRow | undefined } | undefined> {
    const row = await this.rowNamed(work, name)
    const gateway = await this.forStatus(work, { gateway: name })
    return gateway && { gateway, row }
  }

  /** Gateways outside this machine, with their configuration if they have one. */
  async remote(
    work: Work,
  ): Promise<readonly { readonly gateway: RemoteGateway; readonly row?: GatewayRow }[]> {
    const { rows } = await this.configuration.current(work)
    const found: { gateway: RemoteGateway; row?: GatewayRow }[] = []
    for (const row of rows) found.push({ gateway: await this.connect(work, row), row })
    const { fallback } = this.options
    return fallback?.kind === 'remote' ? [...found, { gateway: fallback }] : found
  }

  /** The gateway of a stored transaction; undefined when it cannot be called now. */
  async forOperation(work: Work, { gateway }: Pick<TransactionRow, 'gateway'>): Promise<Gateway | undefined> {
    if (await this.isCatchingUp(work)) return undefined
    const row = await this.rowNamed(work, gateway)
    if (row) return row.status === 'paused' ? undefined : await this.connect(work, row)
    return this.fallbackFor(gateway)
  }

  /** The fallback, for its own transactions; older payments name no gateway. */
  private fallbackFor(name: string | null): Gateway | undefined {
    const { fallback } = this.options
    return name === null || name === fallback?.name ? fallback : undefined
  }

  /** Throws `ServiceUnavailable` if the environment has neither a fallback nor a route. */
  async require(work: Work): Promise<void> {
    if (!(await this.isRouted(work))) throw this.notConnected()
  }

  /**
   * Whether a restored database has yet to query gateways for lost payments; until then no operation is sent to them.
   */
  async isCatchingUp(work: Work): Promise<boolean> {
    return (await this.configuration.current(work)).catchingUp !== undefined
  }

  private async expectSending<G extends Gateway>(work: Work, gateway: G): Promise<G> {
    if (gateway.kind === 'embedded') return gateway
    const { catchingUp } = await this.configuration.current(work)
    if (catchingUp === undefined) return gateway
    const { environment } = this.options
    throw unavailable(
      'problem' in catchingUp
        ? `${catchingUp.problem}. Nothing is sent until gateways were asked what happened since the copy that was restored: payctl gateways catch-up --env ${environment} --since <datetime>`
        : `A backup was restored, and what gateways did since ${catchingUp.since} is not known here: payctl gateways catch-up --env ${environment}`,
      RETRY_AFTER,
    )
  }

  /**
   * Whether automatic payments can be made. After a restore they wait until operators have decided on lost payments:
   * one of these may have paid the same invoice.
   */
  async isConnected(work: Work): Promise<boolean> {
    if ((await this.isCatchingUp(work)) || (await hasForgotten(work))) return false
    return await this.isRouted(work)
  }

  private async isRouted(work: Work): Promise<boolean> {
    if (this.options.fallback) return true
    return (await this.configuration.current(work)).routes.length > 0
  }

  /** The connection to a gateway, with its circuits set from the database. */
  async connect(work: Work, row: GatewayRow): Promise<RemoteGateway> {
    const configured = await this.configuration.current(work)
    const connected = await this.connection(work, row)
    const { gateway, followed } = connected
    if (followed === configured) return gateway
    connected.followed = configured
    gateway.circuits?.follow(
      configured.circuits
        .filter(({ gateway_id: id }) => id === row.id)
        .map(({ scope, subject, problem, noticed_at: at }) => ({
          scope,
          subject,
          problem,
          noticedAt: Number(at),
        })),
    )
    return gateway
  }

  private async connection(work: Work, row: GatewayRow): Promise<Connected> {
    // Credentials are decrypted only after a change, not for each payment.
    const { name, kind, base_url: baseUrl, merchant, sealed_credentials: sealed, circuits_closed } = row
    const problem = await this.problemOf(work, row)
    const { routes } = await this.configuration.current(work)
    const own = routes.filter(({ gateway_id: id }) => id === row.id).flatMap((route) => route.merchant ?? [])
    const merchants = [...new Set(own)].filter((each) => each !== merchant).sort()
    const key = JSON.stringify([name, kind, baseUrl, merchant, merchants, sealed, circuits_closed, problem])
    const known = this.connected.get(row.id)
    if (known?.key === key) return known
    const secrets = problem === undefined ? openCredentials(work.vault, row) : undefined
    const { environment } = this.options
    const gateway = secrets
      ? await this.options.connect({
          id: row.id,
          name: name ?? row.id,
          kind: kind ?? '',
          environment,
          baseUrl,
          merchant,
          merchants,
          secrets,
        })
      : closedGateway(name ?? row.id, changedElsewhere(row, environment, problem))
    const opened = { key, gateway, followed: undefined }
    this.connected.set(row.id, opened)
    return opened
  }

  private async problemOf(work: Work, row: GatewayRow): Promise<string | undefined> {
    const configured = await this.configuration.current(work)
    return configured.rows.includes(row)
      ? await this.configuration.sealProblem(work, configured, 'admin_gateways', { id: row.id, row })
      : await work.sealProblem('admin_gateways', row.id, row)
  }

  private notConnected(): ApiError {
    const { environment } = this.options
    return new ApiError(
      'ServiceUnavailable',
      `No gateway is connected to the ${environment} environment, so it cannot move money: payctl gateways add peer --env ${environment}`,
    )
  }

  private async open(work: Work, row: GatewayRow): Promise<RemoteGateway> {
    if (row.status === 'paused')
      throw unavailable(`The gateway ${row.name} is paused: payctl gateways resume ${row.name}`, RETRY_AFTER)
    return await this.expectSending(work, await this.connect(work, row))
  }

  private async rowNamed(work: Work, name: string | null): Promise<GatewayRow | undefined> {
    if (name === null) return undefined
    return (await this.configuration.current(work)).rows.find((row) => row.name === name)
  }
}

/** A gateway that is read within a budget; without a budget the gateway itself. */
export function limitedBy(budget: ReadBudget | undefined, gateway: RemoteGateway): RemoteGateway {
  return (budget && gateway.limitedTo?.(budget)) ?? gateway
}

function changedElsewhere(
  { id, name }: GatewayRow,
  environment: Environment,
  problem = 'Its name, kind, address or merchant was changed by something other than payctl, so its credentials do not open',
): string {
  return `${problem}; nothing is sent there. Give its address, merchant and credentials anew: payctl gateways update ${name ?? id} --env ${environment}`
}

/** Ids of the routes that may apply, the most specific first: routes of the account precede those for all accounts. */
function routeIds({ method, processingId }: Routing): readonly string[] {
  const own = processingId === '' ? [] : [routeId(processingId, method), routeId(processingId, null)]
  return [...own, routeId(null, method), DEFAULT_ROUTE]
}
