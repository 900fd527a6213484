import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { GatewayCircuitRow, GatewayRouteRow, GatewayRow } from '../../engine/store/database/tables.js'
import type { Gateway } from '../../gateways/contract.js'
import type { Clock } from '../../platform/clock.js'
import { type CatchUp, openCatchUp } from './catching-up.js'

/** Milliseconds for which a process uses its cached configuration. */
const KNOWN_FOR = 50
/**
 * Milliseconds for which caching stays off after a change, because other units of work read the old rows until the
 * commit.
 */
const UNCACHED_AFTER_CHANGE = 1_000

/** Configuration of the gateways of an environment, as a process has read it. */
export interface Configured {
  readonly rows: readonly GatewayRow[]
  readonly routes: readonly GatewayRouteRow[]
  readonly circuits: readonly GatewayCircuitRow[]
  /** The open catch-up of a restored database; undefined if there is none. */
  readonly catchingUp: CatchUp | undefined
  /** Rows that were compared with their seals, by table and id; undefined for a row without a problem. */
  readonly compared: Map<string, string | undefined>
  readonly until: number
}

export type ComparedTable = 'admin_gateways' | 'gateway_routes'

/** A row to be compared with its seal before use; undefined if it is missing. */
export interface Used {
  readonly id: string
  readonly row: GatewayRow | GatewayRouteRow | undefined
}

interface ConfiguredOptions {
  readonly fallback: Gateway | undefined
  /** Measures the age of the cached configuration. */
  readonly stopwatch: Clock
}

/** The configured gateways and routes, read from the database and cached for a moment. */
export class ConfiguredGateways {
  private known: Configured | undefined
  private uncachedUntil = Number.NEGATIVE_INFINITY

  constructor(private readonly options: ConfiguredOptions) {}

  /** Clears the cache; called by the unit of work that has changed the configuration, before it commits. */
  changed(): void {
    this.known = undefined
    this.uncachedUntil = this.options.stopwatch.now() + UNCACHED_AFTER_CHANGE
  }

  /** The configuration, which may be `KNOWN_FOR` milliseconds old. */
  async current(work: Work): Promise<Configured> {
    const { tx } = work
    const now = this.options.stopwatch.now()
    if (this.known && now < this.known.until) return this.known
    const rows = await tx.run(allGateways, {})
    const routes = await tx.run(allRoutes, {})
    const circuits = rows.length === 0 ? [] : await tx.run(allCircuits, {})
    const { fallback } = this.options
    const isRemote = rows.length > 0 || fallback?.kind === 'remote'
    const catchingUp = isRemote ? await openCatchUp(work) : undefined
    const configured = { rows, routes, circuits, catchingUp, compared: new Map(), until: now + KNOWN_FOR }
    if (now >= this.uncachedUntil) this.known = configured
    return configured
  }

  /** Compares a row of the configuration with its seal, once for as long as the configuration is cached. */
  async sealProblem(
    work: Work,
    { compared }: Configured,
    table: ComparedTable,
    { id, row }: Used,
  ): Promise<string | undefined> {
    const key = `${table} ${id}`
    if (!compared.has(key)) compared.set(key, await work.sealProblem(table, id, row && { ...row }))
    return compared.get(key)
  }
}

const allGateways = prepared<object, GatewayRow>((db) =>
  db.selectFrom('admin_gateways').selectAll().where('deleted_at', 'is', null).orderBy('id'),
)

const allCircuits = prepared<object, GatewayCircuitRow>((db) =>
  db.selectFrom('gateway_circuits').selectAll().orderBy('id'),
)

const allRoutes = prepared<object, GatewayRouteRow>((db) =>
  db.selectFrom('gateway_routes').selectAll().orderBy('id'),
)
