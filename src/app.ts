import { authenticator, type Holder, type Login, readLogin } from './domain/access/authenticate.js'
import type { AuthorizationServer } from './domain/access/authorization-server.js'
import { type BackgroundWork, backgroundWork, type DeliveryOptions } from './domain/background-work.js'
import type { ConnectGateway, Gateways } from './domain/gateways/gateways.js'
import type { RailDeclarations } from './domain/gateways/sealed-credentials.js'
import type { Payables } from './domain/links/payables.js'
import type { SendOne } from './domain/mail/send-mail.js'
import type {
  NotificationReceipt,
  ReceivedNotification,
} from './domain/reconciliation/receive-notifications.js'
import { createCore } from './engine/core/core.js'
import { addressesOf } from './engine/core/read/addresses.js'
import type { ListReader } from './engine/core/read/list-reader.js'
import type { ApiRequest } from './engine/core/request/request.js'
import { isPathOf, parsePath } from './engine/core/request/route.js'
import { AnswerClock } from './engine/core/write/answer-clock.js'
import type { AdminRules } from './engine/core/write/rule.js'
import type { Work } from './engine/core/write/work.js'
import { MovableClock } from './engine/jobs/movable-clock.js'
import { expectBooks, readKnownBooks } from './engine/store/books/compare-head.js'
import { type Environment, expectWritable, type Store } from './engine/store/database/store.js'
import { openExisting, openStore } from './engine/store/open-store.js'
import { type HomeVault, openVault, type Vault } from './engine/store/vault/vault.js'
import type { Capabilities, Gateway } from './gateways/contract.js'
import type { GatewayCall } from './gateways/registry/connected-gateway.js'
import { gatewayConnector } from './gateways/registry/gateway-connector.js'
import type { Drill } from './gateways/simulator/drill.js'
import { simulatedGateway } from './gateways/simulator/drilled-gateway.js'
import type { HeadPlaces, HeadPublisher } from './installation/published-heads/publish-head.js'
import { Model } from './model/model.js'
import {
  type Clock,
  stopwatch as realStopwatch,
  systemClock,
  systemTimers,
  type Timers,
} from './platform/clock.js'
import { type Ids, timeOrderedIds } from './platform/ids.js'
import { lateOutgoing } from './platform/network/late-outgoing.js'
import { lateSmtp, type OpenSmtp } from './platform/network/late-smtp.js'
import type { Outgoing } from './platform/network/outgoing.js'
import { openRailClient } from './platform/network/rail-client.js'
import { type Random, systemRandom } from './platform/random.js'
import { adminOperations } from './resources/admin/admin-operations.js'
import { resources } from './resources/resource-table.js'
import { registryOf } from './schema/registry.js'

/** One environment (test or live) of an installation: the core over its database, and its background work. */
export interface AppEnvironment extends BackgroundWork {
  /**
   * The principal of a login at a terminal; undefined if the login has no access. Throws `NotAsSealed` if something
   * other than the service changed its operator.
   */
  principalOfLogin(login: Login): ReturnType<typeof readLogin>
  /** Payment links, checkouts and other pages on which payers pay. */
  payables(): Promise<Payables>
  /** The authorization server of OAuth. */
  oauth(): Promise<AuthorizationServer>
  /** Throws a `StoreError` when the database accepts no writes now. */
  expectWritable(): Promise<void>
  /** Throws a `StoreError` if the database has lost commits or differs from the books that the home folder knows. */
  expectBooks(): Promise<void>
}

/** The composition root: both environments over one home. */
export interface App {
  /** The declarations, compiled. */
  readonly model: Model
  /** Opens an environment on first use. Throws a `StoreError` that says what to do when its database cannot be opened. */
  environment(name: Environment): Promise<AppEnvironment>
  /** The kinds of gateways, and the credentials that each needs. */
  rails(): Promise<RailDeclarations>
  /** The abilities of a kind of gateway, whose code is loaded for it; undefined if the kind is unknown. */
  capabilitiesOf(kind: string): Promise<Capabilities | undefined>
  /** Finds the holder of a credential (a secret key) and its environment; undefined when unknown, revoked or expired. */
  authenticate(credential: string): Promise<Holder | undefined>
  /** Whether a path belongs to the API. Neither permission nor the existence of an object is checked. */
  names(path: string): boolean
  /** A keyed hash of a text, with which pages recognize values that they handed out. */
  sign(text: string): string
  /**
   * Sets the address at which the service listens. Addresses shown to people begin with it, unless `publicAddress` is
   * set.
   */
  servedAt(address: string): void
  /**
   * Stores a request to the notification address of a gateway. Returns `unknown` if no such gateway exists, `forged`
   * if another sender made the request, and `full` if too many of the gateway's notifications wait.
   */
  receiveNotification(received: ReceivedNotification): Promise<NotificationReceipt | 'forged'>
  close(): Promise<void>
}

export interface AppOptions {
  /** Folder for databases, keys and settings (`PAYCTL_HOME`). */
  readonly home: string
  /** `postgres://…`; SQLite in the home folder unless given (`PAYCTL_DATABASE_URL`). */
  readonly databaseUrl?: string
  /** Whether databases are opened for examination only: they are neither created, migrated, sealed nor written. */
  readonly examines?: boolean
  /** Public address of `serve`: addresses for payers and operators begin with it (`PAYCTL_PUBLIC_URL`). */
  readonly publicAddress?: string
  /** The largest file that is attached to an invoice, in bytes; 10 MiB unless given. */
  readonly attachmentBytes?: number
  readonly clock?: Clock
  /** Measures durations, independently of the time that `clock` shows. */
  readonly stopwatch?: Clock
  readonly random?: Random
  /** Gateway for test payments to which no route applies; by default, the embedded simulator. */
  readonly gateway?: Gateway
  /** Delays and failures of the test environment's simulator; none unless given. */
  readonly drill?: Drill
  /** Whether gateways may be on this machine, for tests (`PAYCTL_GATEWAY_LOOPBACK`). */
  readonly gatewayLoopback?: boolean
  /** Whether the mail server may be on this machine (`PAYCTL_MAIL_LOOPBACK`). */
  readonly mailLoopback?: boolean
  /** Called after each call to a gateway, for the log. */
  readonly onGatewayCall?: (call: GatewayCall) => void
  readonly delivery?: Partial<DeliveryOptions & OutgoingDelivery>
  readonly timers?: Timers
  /** Creates a reader of lists that runs outside this thread; its argument returns the public address. */
  readonly listReader?: (publicAddress: () => string) => ListReader
  /** Places outside the home where signed heads of the sealed books are published. */
  readonly heads?: HeadPlaces
  /** Receives errors that no caller sees: causes of answers with a status from 500, and the request if there is one. */
  readonly report?: (error: unknown, request?: ApiRequest) => void
  /**
   * Receives the reason why committed work could not be sealed or signed yet, which fails no request; unless given,
   * `report` receives it.
   */
  readonly reportBooks?: (error: unknown) => void
}

/** Options of sending webhooks. */
interface OutgoingDelivery {
  /** Environments in which webhooks may be sent to this machine: test unless given (`PAYCTL_WEBHOOK_LOOPBACK`). */
  readonly loopback: 'none' | 'test' | 'both'
  /** Sends the requests of webhooks, in place of the built-in client. */
  readonly http: Outgoing
}

/** The address at which `serve` listens by default. */
const DEFAULT_ADDRESS = 'http://127.0.0.1:4242'

export function openApp(options: AppOptions): App {
  const { home, clock = systemClock, stopwatch = realStopwatch } = options
  const { random = systemRandom, timers = systemTimers } = options
  let publicAddress = options.publicAddress ?? DEFAULT_ADDRESS
  const vault = openVault(home, random)
  const railHttp = openRailClient({ loopback: options.gatewayLoopback ?? false })
  const onCall = options.onGatewayCall ?? (() => undefined)
  const shared = {
    options,
    clock,
    stopwatch,
    random,
    timers,
    report: options.report ?? (() => undefined),
    delivery: options.delivery ?? {},
    vault,
    ids: timeOrderedIds(clock, random),
    model: new Model(registryOf(resources, Object.values(adminOperations))),
    publicAddress: () => publicAddress,
    listReader: options.listReader?.(() => publicAddress),
    connect: gatewayConnector({ http: railHttp, clock, stopwatch, onCall }),
    openSmtp: lateSmtp({ reach: { loopback: options.mailLoopback ?? false }, timers }),
  }
  const environments = new Map<Environment, Promise<OpenedEnvironment>>()
  const open = (name: Environment): Promise<OpenedEnvironment> => {
    const known = environments.get(name)
    if (known) return known
    const opened = openEnvironment(name, shared)
    environments.set(name, opened)
    // After a failure the next call tries again.
    opened.catch(() => environments.delete(name))
    return opened
  }
  return {
    model: shared.model,
    environment: open,
    rails: async () => (await import('./gateways/registry/rails.js')).rails,
    capabilitiesOf: async (of) => (await import('./gateways/registry/capabilities-of.js')).capabilitiesOf(of),
    authenticate: authenticator(open, clock, shared.report),
    names: (path) => isPathOf(shared.model, parsePath(path)),
    sign: (text) => vault.hash(text, 'page'),
    servedAt(address) {
      publicAddress = options.publicAddress ?? address
    },
    async receiveNotification(received) {
      const [{ receiveNotifications }, { isBadSignature }] = await Promise.all([
        import('./domain/reconciliation/receive-notifications.js'),
        import('./gateways/bad-signature.js'),
      ])
      for (const name of ['live', 'test'] as const) {
        const { core, gateways } = await open(name)
        try {
          const outcome = await receiveNotifications(core, await gateways(), received)
          if (outcome !== 'unknown') return outcome
        } catch (error) {
          if (isBadSignature(error)) return 'forged'
          throw error
        }
      }
      return 'unknown'
    },
    async close() {
      await shared.listReader?.close()
      // An environment that could not be opened needs no closing, and its first caller received the error.
      const opened = await Promise.allSettled(environments.values())
      await Promise.all(opened.map((one) => one.status === 'fulfilled' && one.value.close()))
      await railHttp.close()
    },
  }
}

/** Dependencies that both environments share. */
interface Shared
  extends Required<Pick<AppOptions, 'clock' | 'stopwatch' | 'random' | 'timers' | 'report' | 'delivery'>> {
  readonly options: AppOptions
  readonly vault: HomeVault
  readonly ids: Ids
  readonly model: Model
  readonly publicAddress: () => string
  readonly listReader: ListReader | undefined
  readonly connect: ConnectGateway
  readonly openSmtp: OpenSmtp
}

interface OpenedEnvironment extends AppEnvironment {
  readonly store: Store
  readonly vault: Vault
  gateways(): Promise<Gateways>
  close(): Promise<void>
}

async function openEnvironment(environment: Environment, shared: Shared): Promise<OpenedEnvironment> {
  const { options, clock, stopwatch, random, timers, report } = shared
  const vault = shared.vault.forEnvironment(environment)
  const { home, databaseUrl, reportBooks = report } = options
  const place = { home, databaseUrl, environment }
  const store = options.examines
    ? await openExisting(place)
    : await openStore({ ...place, random, clock, timers, reportBooks })
  const movable = environment === 'test' ? new MovableClock(clock, stopwatch) : undefined
  const answerClock = new AnswerClock(clock, stopwatch)
  let loading: ReturnType<typeof loadRules> | undefined
  const loaded = () => (loading ??= loadRules(environment, movable, shared, background.sendOneMail))
  const core = createCore({
    ...shared,
    vault,
    store,
    environment,
    addresses: addressesOf(shared.publicAddress, environment, vault),
    answerClock,
    businessClock: movable ?? { at: async () => clock.now() },
    rules: async () => (await loaded()).rules,
    adminRules: async () => (await loaded()).adminRules,
    operatorJudging: async () => (await import('./domain/access/operators/day-limit.js')).operatorJudging,
    countNumbers: async () => (await import('./domain/access/number-filters.js')).countNumbers,
  })
  const { loopback = 'test', http } = shared.delivery
  const outgoing =
    http ?? lateOutgoing({ reach: { loopback: loopback === 'both' || loopback === environment } })
  const gateways = async () => (await loaded()).gateways
  const gatewayJobs = async (name: string) => (await loaded()).gatewayJobs(name)
  let publisher: HeadPublisher | undefined
  const background = backgroundWork({
    ...shared,
    name: environment,
    vault,
    core,
    store,
    movable,
    answerClock,
    outgoing,
    gateways,
    jobs: async () => (await loaded()).jobs,
    gatewayJobs,
    paused,
    async publishHead(stopping) {
      const { heads } = options
      if (heads?.file === undefined && heads?.command === undefined) return
      const { HeadPublisher } = await import('./installation/published-heads/publish-head.js')
      publisher ??= new HeadPublisher({ ...heads, home, environment, store, keyed: vault.hash, clock })
      await publisher.publish(stopping)
    },
  })
  return {
    ...background,
    principalOfLogin: (login) => readLogin(store, login),
    async payables() {
      const { payables } = await import('./domain/links/payables.js')
      return payables(core, await gateways(), clock)
    },
    async oauth() {
      const { authorizationServer } = await import('./domain/access/authorization-server.js')
      return authorizationServer({ core, random, report })
    },
    expectWritable: () => expectWritable(store),
    expectBooks: () => expectBooks(store, home, environment, shared.vault),
    store,
    vault,
    gateways,
    async close() {
      await outgoing.close()
      await store.close()
    },
  }
}

/** Loads the rules of the business, its jobs and gateways, when the first of them is needed. */
async function loadRules(
  environment: Environment,
  movable: MovableClock | undefined,
  shared: Shared,
  sendOneMail: SendOne,
) {
  const [
    { adminRules, dueJobs, gatewayJobs, rules },
    { maintenanceRules },
    { statusRules },
    { Gateways },
    { rails },
  ] = await Promise.all([
    import('./domain/rules.js'),
    import('./installation/maintenance.js'),
    import('./installation/status-rule.js'),
    import('./domain/gateways/gateways.js'),
    import('./gateways/registry/rails.js'),
  ])
  const { options, clock, stopwatch, timers, random, model, connect, vault } = shared
  const { home, gatewayLoopback = false, attachmentBytes } = options
  // The live environment has no built-in gateway. Until a gateway is added, payments are refused before anything is
  // stored.
  const fallback =
    environment === 'test' ? (options.gateway ?? (await simulatedGateway(options.drill, shared))) : undefined
  const gateways = new Gateways({ environment, fallback, connect, stopwatch })
  const knownBooks = () => readKnownBooks(home, environment, vault)
  return {
    gateways,
    jobs: dueJobs(gateways),
    gatewayJobs: (name: string) => gatewayJobs(gateways, name),
    rules: rules({ gateways, rails, gatewayLoopback, random, registry: model, sendOneMail, attachmentBytes }),
    adminRules: {
      ...adminRules({ gateways, movable, knownBooks, clock, timers, random }),
      ...maintenanceRules,
      ...statusRules,
    } satisfies AdminRules,
  }
}

/** Whether due jobs pause: in maintenance, and while a restored database catches up with its gateways. */
async function paused(work: Work): Promise<boolean> {
  const [{ inMaintenance }, { openCatchUp }] = await Promise.all([
    import('./installation/maintenance.js'),
    import('./domain/gateways/catching-up.js'),
  ])
  return (await inMaintenance(work.tx)) || (await openCatchUp(work)) !== undefined
}
