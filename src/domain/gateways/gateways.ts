import { ApiError, unavailable } from '../../engine/core/request/api-error.js'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { Environment } from '../../engine/store/database/store.js'
import type { GatewayRouteRow, GatewayRow, TransactionRow } from '../../engine/store/database/tables.js'
import type { Gateway, GatewayMethod, RemoteGateway } from '../../gateways/contract.js'
import type { Clock } from '../../platform/clock.js'
import type { Turn } from '../../platform/network/turn.js'
import { hasForgotten, openCatchUp } from './catching-up.js'
import { openCredentials, type Secrets } from './sealed-credentials.js'

/** A configured gateway with its connection. */
export interface GatewayConfiguration {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly environment: Environment
  readonly baseUrl: string | null
  readonly merchant: string | null
  readonly secrets: Secrets
}

/** Makes a gateway of its configuration; its rail is loaded then. */
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

/** Milliseconds for which a process uses its cached configuration. */
const KNOWN_FOR = 50
/** Milliseconds after a change for which nothing is cached, as other units of work read the old rows until it commits. */
const UNCACHED_AFTER_CHANGE = 1_000
/** Seconds until a client may try again. */
const RETRY_AFTER = 30

interface Configured {
  readonly rows: readonly GatewayRow[]
  readonly routes: readonly GatewayRouteRow[]
  /** Time from which a restored database has to query gateways for lost payments; undefined if there is none. */
  readonly catchingUp: string | undefined
  readonly until: number
}

/** The gateways of an environment: those that operators have configured, and its own. */
export class Gateways {
  private known: Configured | undefined
  private uncachedUntil = Number.NEGATIVE_INFINITY
  private readonly connected = new Map<string, { readonly key: string; readonly gateway: RemoteGateway }>()

  constructor(private readonly options: GatewaysOptions) {}

  /** Clears the cache; called by the unit of work that has changed the configuration, before it commits. */
  changed(): void {
    this.known = undefined
    this.uncachedUntil = this.options.stopwatch.now() + UNCACHED_AFTER_CHANGE
  }

  /**
   * Gateway and merchant of a new operation. Throws `ServiceUnavailable` without a route, or when the gateway is
   * paused.
   */
  async forNew(work: Work, routing: Routing): Promise<Routed> {
    const { rows, routes } = await this.configured(work)
    if (rows.length > 0) {
      const route = routeOf(routes, routing)
      const row = rows.find((each) => each.id === route?.gateway_id)
      if (row) return { gateway: await this.open(work, row), merchant: route?.merchant ?? null }
    }
    const { fallback } = this.options
    if (fallback) return { gateway: await this.expectSending(work, fallback), merchant: null }
    throw this.notConnected()
  }

  /** Every destination of payments by a kind of method, for any processing account. */
  async destinations(work: Work, method: Routing['method']): Promise<readonly GatewayAccount[]> {
    const { rows, routes } = await this.configured(work)
    const accounts = new Set(['', ...routes.map(({ processing_id: id }) => id ?? '')])
    const { fallback } = this.options
    return [...accounts].flatMap((processingId) => {
      const route = routeOf(routes, { method, processingId })
      const row = rows.find((each) => each.id === route?.gateway_id)
      if (row) return [{ gateway: row.name ?? row.id, merchant: route?.merchant ?? null }]
      return fallback ? [{ gateway: fallback.name, merchant: null }] : []
    })
  }

  /** The gateway that took a transaction. Throws `ServiceUnavailable` when it is gone, or paused. */
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
    const { rows } = await this.configured(work)
    const { fallback } = this.options
    const own = fallback?.kind === 'remote' ? [fallback.name] : []
    return [...rows.map(({ id, name }) => name ?? id), ...own]
  }

  /** Name of the gateway outside this machine that took a transaction; undefined if there is none. */
  async laneOf(work: Work, { gateway }: Pick<TransactionRow, 'gateway'>): Promise<string | undefined> {
    const name = gateway ?? this.options.fallback?.name
    return (await this.names(work)).find((each) => each === name)
  }

  /** Name of the gateway outside this machine to which a new operation is routed; undefined if there is none. */
  async laneOfNew(work: Work, routing: Routing): Promise<string | undefined> {
    const { rows, routes } = await this.configured(work)
    const route = routeOf(routes, routing)
    const row = rows.find((each) => each.id === route?.gateway_id)
    return row ? (row.name ?? row.id) : await this.laneOf(work, { gateway: null })
  }

  /** One of them, with its configuration if it has one. */
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
    const { rows } = await this.configured(work)
    const found: { gateway: RemoteGateway; row?: GatewayRow }[] = []
    for (const row of rows) found.push({ gateway: await this.connect(work, row), row })
    const { fallback } = this.options
    return fallback?.kind === 'remote' ? [...found, { gateway: fallback }] : found
  }

  /** The gateway that took a transaction; undefined when it cannot be called now. */
  async forOperation(work: Work, { gateway }: Pick<TransactionRow, 'gateway'>): Promise<Gateway | undefined> {
    if (await this.isCatchingUp(work)) return undefined
    const row = await this.rowNamed(work, gateway)
    if (row) return row.status === 'paused' ? undefined : await this.connect(work, row)
    return this.fallbackFor(gateway)
  }

  /** The environment's own gateway, for its own transactions; older payments name none. */
  private fallbackFor(name: string | null): Gateway | undefined {
    const { fallback } = this.options
    return name === null || name === fallback?.name ? fallback : undefined
  }

  /** Throws `ServiceUnavailable` where no money moves at all. */
  async require(work: Work): Promise<void> {
    if (!(await this.isRouted(work))) throw this.notConnected()
  }

  /**
   * Whether a restored database has yet to query gateways for lost payments; until then no operation is sent to them.
   */
  async isCatchingUp(work: Work): Promise<boolean> {
    return (await this.configured(work)).catchingUp !== undefined
  }

  private async expectSending<G extends Gateway>(work: Work, gateway: G): Promise<G> {
    if (gateway.kind === 'embedded') return gateway
    const { catchingUp } = await this.configured(work)
    if (catchingUp === undefined) return gateway
    throw unavailable(
      `A backup was restored, and what gateways did since ${catchingUp} is not known here: payctl gateways catch-up --env ${this.options.environment}`,
      RETRY_AFTER,
    )
  }

  /**
   * Whether automatic payments have a gateway. They have none until lost payments are decided on, as one of these may
   * have paid the same invoice.
   */
  async isConnected(work: Work): Promise<boolean> {
    if ((await this.isCatchingUp(work)) || (await hasForgotten(work))) return false
    return await this.isRouted(work)
  }

  private async isRouted(work: Work): Promise<boolean> {
    if (this.options.fallback) return true
    return (await this.configured(work)).routes.length > 0
  }

  async connect(work: Work, row: GatewayRow): Promise<RemoteGateway> {
    // Credentials are opened when they have changed, and not with each payment.
    const { name, kind, base_url: baseUrl, merchant, sealed_credentials: sealed } = row
    const key = JSON.stringify([name, kind, baseUrl, merchant, sealed])
    const known = this.connected.get(row.id)
    if (known?.key === key) return known.gateway
    const configuration: GatewayConfiguration = {
      id: row.id,
      name: name ?? row.id,
      kind: kind ?? '',
      environment: this.options.environment,
      baseUrl,
      merchant,
      secrets: openCredentials(work.vault, row),
    }
    const gateway = await this.options.connect(configuration)
    this.connected.set(row.id, { key, gateway })
    return gateway
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
    return (await this.configured(work)).rows.find((row) => row.name === name)
  }

  private async configured({ tx }: Work): Promise<Configured> {
    const now = this.options.stopwatch.now()
    if (this.known && now < this.known.until) return this.known
    const rows = await tx.run(allGateways, {})
    const routes = rows.length === 0 ? [] : await tx.run(allRoutes, {})
    const { fallback } = this.options
    const isRemote = rows.length > 0 || fallback?.kind === 'remote'
    const catchingUp = isRemote ? (await openCatchUp(tx))?.since : undefined
    const configured = { rows, routes, catchingUp, until: now + KNOWN_FOR }
    if (now >= this.uncachedUntil) this.known = configured
    return configured
  }
}

/** A gateway of which no more is read than the turn allows; without a turn the gateway itself. */
export function limitedBy(turn: Turn | undefined, gateway: RemoteGateway): RemoteGateway {
  return (turn && gateway.limitedTo?.(turn)) ?? gateway
}

/** The most specific route that fits: the account's own precedes that of the kind of method. */
function routeOf(routes: readonly GatewayRouteRow[], { method, processingId }: Routing) {
  const weight = (route: GatewayRouteRow) => (route.processing_id ? 2 : 0) + (route.method ? 1 : 0)
  return routes
    .filter(
      (route) =>
        (route.method === null || route.method === method) &&
        (route.processing_id === null || route.processing_id === processingId),
    )
    .toSorted((a, b) => weight(b) - weight(a))[0]
}

const allGateways = prepared<object, GatewayRow>((db) =>
  db.selectFrom('admin_gateways').selectAll().where('deleted_at', 'is', null).orderBy('id'),
)

const allRoutes = prepared<object, GatewayRouteRow>((db) =>
  db.selectFrom('gateway_routes').selectAll().orderBy('id'),
)
