import { authenticator, type Holder } from './domain/access/authenticate.js'
import type { AuthorizationServer } from './domain/access/authorization-server.js'
import { type BackgroundWork, backgroundWork, type DeliveryOptions } from './domain/background-work.js'
import type { ConnectGateway, Gateways } from './domain/gateways/gateways.js'
import { type Core, createCore } from './engine/core/core.js'
import { addressesOf } from './engine/core/read/addresses.js'
import type { ListReader } from './engine/core/read/list-reader.js'
import type { ApiRequest } from './engine/core/request/request.js'
import { AnswerClock } from './engine/core/write/answer-clock.js'
import type { AdminRules } from './engine/core/write/rule.js'
import { MovableClock } from './engine/jobs/movable-clock.js'
import { expectHead } from './engine/store/books/compare-head.js'
import { headPath } from './engine/store/books/head-file.js'
import { type Environment, expectWritable, type Store, type Tx } from './engine/store/database/store.js'
import { openStore } from './engine/store/open-store.js'
import { openVault, type Vault } from './engine/store/vault/vault.js'
import type { Gateway, Headers } from './gateways/contract.js'
import type { ConnectionOptions, GatewayCall } from './gateways/registry/connected-gateway.js'
import type { Drill } from './gateways/simulator/drill.js'
import type { HeadPlaces, HeadPublisher } from './installation/heads/publish-head.js'
import { Model } from './model/model.js'
import {
  type Clock,
  stopwatch as realStopwatch,
  systemClock,
  systemTimers,
  type Timers,
} from './platform/clock.js'
import { timeOrderedIds } from './platform/ids.js'
import { lateOutgoing } from './platform/network/late-outgoing.js'
import type { Outgoing } from './platform/network/outgoing.js'
import { openRailClient } from './platform/network/rail-client.js'
import { type Random, systemRandom } from './platform/random.js'
import { adminOperations } from './resources/admin/admin-operations.js'
import { resources } from './resources/resource-table.js'
import { registryOf } from './schema/registry.js'

/** Methods of an environment, with the environment before their arguments. */
type ByEnvironment<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends (...args: infer Args) => infer Result
    ? (environment: Environment, ...args: Args) => Result
    : never
}

/** The composition root: both environments over one home, each opened on first use. */
export interface App extends ByEnvironment<BackgroundWork> {
  /** Throws a `StoreError` that says what to do when the environment's database cannot be opened. */
  core(environment: Environment): Promise<Core>
  /** Who holds a credential (a secret key), and in which environment; nothing when it is unknown, revoked or expired. */
  authenticate(credential: string): Promise<Holder | undefined>
  /** What OAuth does in an environment. */
  oauth(environment: Environment): Promise<AuthorizationServer>
  /** A keyed hash of a text, by which pages recognize what they handed out. */
  sign(text: string): string
  /** Sets where the service listens, for the addresses that it gives to people; `publicAddress` comes first. */
  servedAt(address: string): void
  /** Opens the environment. Throws a `StoreError` when nothing can be written in its database now. */
  expectWritable(environment: Environment): Promise<void>
  /** Throws a `StoreError` when the environment's books are not as far as they are known to have been. */
  expectBooks(environment: Environment): Promise<void>
  /** Publishes the signed head of an environment's books where that is wanted. Throws an error when it cannot be. */
  publishHead(environment: Environment, stopping: AbortSignal): Promise<void>
  /** Stores what came to the address of a gateway: `unknown` where there is none, `forged` when it is not from there. */
  receiveNotification(received: ReceivedNotification): Promise<'stored' | 'unknown' | 'forged'>
  close(): Promise<void>
}

/** What a request to the address of a gateway is. */
interface ReceivedNotification {
  readonly id: string
  readonly headers: Headers
  readonly body: Buffer
}

export interface AppOptions {
  /** Folder for databases, keys and settings (`PAYCTL_HOME`). */
  readonly home: string
  /** `postgres://…`; SQLite in the home folder unless given (`PAYCTL_DATABASE_URL`). */
  readonly databaseUrl?: string
  /** Where `serve` is reached from outside: addresses that need no key begin with it (`PAYCTL_PUBLIC_URL`). */
  readonly publicAddress?: string
  /** The largest file that is attached to an invoice, in bytes; 10 MiB unless given. */
  readonly attachmentBytes?: number
  readonly clock?: Clock
  /** Measures how long something takes, whatever the clock shows. */
  readonly stopwatch?: Clock
  readonly random?: Random
  /** The test environment's gateway where no route leads elsewhere; the embedded simulator unless given. */
  readonly gateway?: Gateway
  /** How badly the simulator of the test environment behaves; not at all unless given. */
  readonly drill?: Drill
  /** Whether gateways may be on this machine, for tests (`PAYCTL_GATEWAY_LOOPBACK`). */
  readonly gatewayLoopback?: boolean
  /** Called after each call to a gateway, for the log. */
  readonly onGatewayCall?: (call: GatewayCall) => void
  readonly delivery?: Partial<DeliveryOptions & OutgoingDelivery>
  readonly timers?: Timers
  /** Reads lists elsewhere than in this thread; handed what addresses begin with. */
  readonly listReader?: (publicAddress: () => string) => ListReader
  /** Where signed heads of the sealed books are published outside of the home. */
  readonly heads?: HeadPlaces
  /** Receives errors that no caller sees: causes of what is answered with a status from 500, and the request if any. */
  readonly report?: (error: unknown, request?: ApiRequest) => void
  /** Receives why committed work could not be sealed or signed yet, which fails no request; `report` does unless given. */
  readonly reportBooks?: (error: unknown) => void
}

/** Over which network webhooks are notified. */
interface OutgoingDelivery {
  /** Where receivers on this machine are notified: in the test environment unless given (`PAYCTL_WEBHOOK_LOOPBACK`). */
  readonly loopback: 'none' | 'test' | 'both'
  /** Instead of requests over the network. */
  readonly http: Outgoing
}

interface OpenedEnvironment {
  readonly store: Store
  readonly vault: Vault
  readonly core: Core
  readonly background: BackgroundWork
  readonly gateways: () => Promise<Gateways>
  close(): Promise<void>
}

/** Where `serve` listens by default. */
const DEFAULT_ADDRESS = 'http://127.0.0.1:4242'

export function openApp(options: AppOptions): App {
  const { home, databaseUrl, clock = systemClock, random = systemRandom, delivery = {} } = options
  const { timers = systemTimers, stopwatch = realStopwatch, report = () => undefined } = options
  let publicAddress = options.publicAddress ?? DEFAULT_ADDRESS
  const ids = timeOrderedIds(clock, random)
  const model = new Model(registryOf(resources, Object.values(adminOperations)))
  const vault = openVault(home, random)
  const environments = new Map<Environment, Promise<OpenedEnvironment>>()
  const listReader = options.listReader?.(() => publicAddress)

  const { gatewayLoopback = false, onGatewayCall = () => undefined, attachmentBytes } = options
  const railHttp = openRailClient({ loopback: gatewayLoopback })

  const connect = gatewayConnector({ http: railHttp, clock, stopwatch, onCall: onGatewayCall })

  const loadRules = async (environment: Environment, movable: MovableClock | undefined) => {
    const [
      { adminRules, dueJobs, rules },
      { maintenanceRules },
      { statusRules },
      { simulator },
      { Gateways },
      { rails },
    ] = await Promise.all([
      import('./domain/rules.js'),
      import('./installation/maintenance.js'),
      import('./installation/status-rule.js'),
      import('./gateways/simulator/simulator.js'),
      import('./domain/gateways/gateways.js'),
      import('./gateways/registry/rails.js'),
    ])
    // Live has no gateway of its own: until one is added, its payments are refused before anything is stored.
    const fallback =
      environment === 'test'
        ? (options.gateway ?? (await drilled(options.drill, { random, timers })) ?? simulator)
        : undefined
    const gateways = new Gateways({ environment, fallback, connect, stopwatch })
    const jobs = dueJobs(gateways)
    return {
      gateways,
      rules: rules({ gateways, rails, gatewayLoopback, random, registry: model, attachmentBytes }),
      adminRules: {
        ...adminRules(gateways, movable, jobs, headPath(home, environment), clock),
        ...maintenanceRules,
        ...statusRules,
      } satisfies AdminRules,
      jobs,
    }
  }

  const openEnvironment = async (environment: Environment): Promise<OpenedEnvironment> => {
    const store = await openStore({
      home,
      databaseUrl,
      environment,
      random,
      clock,
      timers,
      reportBooks: options.reportBooks ?? report,
    }).catch((error: unknown) => {
      // The next call tries again.
      environments.delete(environment)
      throw error
    })
    const movable = environment === 'test' ? new MovableClock(clock, stopwatch) : undefined
    const answerClock = new AnswerClock(clock, stopwatch)
    let loading: ReturnType<typeof loadRules> | undefined
    const loaded = () => {
      loading ??= loadRules(environment, movable)
      return loading
    }
    const core = createCore({
      model,
      store,
      vault,
      ids,
      environment,
      listReader,
      report,
      addresses: addressesOf(() => publicAddress, environment, vault),
      clock,
      answerClock,
      businessClock: movable ?? { at: async () => clock.now() },
      rules: async () => (await loaded()).rules,
      adminRules: async () => (await loaded()).adminRules,
    })
    const { loopback = 'test', http } = delivery
    const outgoing =
      http ?? lateOutgoing({ reach: { loopback: loopback === 'both' || loopback === environment } })
    const background = backgroundWork({
      core,
      store,
      vault,
      movable,
      answerClock,
      outgoing,
      delivery,
      clock,
      stopwatch,
      random,
      timers,
      report,
      gateways: async () => (await loaded()).gateways,
      jobs: async () => (await loaded()).jobs,
      paused,
    })
    const close = async () => {
      await outgoing.close()
      await store.close()
    }
    const gateways = async () => (await loaded()).gateways
    return { store, vault, core, background, gateways, close }
  }

  const publishers = new Map<Environment, HeadPublisher>()
  const publishHead = async (environment: Environment, stopping: AbortSignal) => {
    const { heads } = options
    if (heads?.file === undefined && heads?.command === undefined) return
    const [{ store }, { HeadPublisher }] = await Promise.all([
      open(environment),
      import('./installation/heads/publish-head.js'),
    ])
    const known = publishers.get(environment)
    const publisher =
      known ?? new HeadPublisher({ ...heads, home, environment, store, keyed: vault.hash, clock })
    publishers.set(environment, publisher)
    await publisher.publish(stopping)
  }

  const open = (environment: Environment): Promise<OpenedEnvironment> => {
    const opened = environments.get(environment) ?? openEnvironment(environment)
    environments.set(environment, opened)
    return opened
  }
  const backgroundOf = async (environment: Environment) => (await open(environment)).background

  return {
    core: async (environment) => (await open(environment)).core,
    authenticate: authenticator(open, clock),
    async oauth(environment) {
      const [{ core }, { authorizationServer }] = await Promise.all([
        open(environment),
        import('./domain/access/authorization-server.js'),
      ])
      return authorizationServer({ core, random })
    },
    sign: (text) => vault.hash(text, 'page'),
    servedAt(address) {
      publicAddress = options.publicAddress ?? address
    },
    publishHead,
    expectWritable: async (environment) => await expectWritable((await open(environment)).store),
    expectBooks: async (environment) => await expectHead((await open(environment)).store, home, environment),
    reconcile: async (environment, inFlight, stopping) =>
      (await backgroundOf(environment)).reconcile(inFlight, stopping),
    handleNotifications: async (environment, stopping) =>
      (await backgroundOf(environment)).handleNotifications(stopping),
    runDueJobs: async (environment, stopping) => (await backgroundOf(environment)).runDueJobs(stopping),
    deliver: async (environment, stopping) => (await backgroundOf(environment)).deliver(stopping),
    deleteOldLogs: async (environment, stopping) => (await backgroundOf(environment)).deleteOldLogs(stopping),
    deleteOldAnswers: async (environment, stopping) =>
      (await backgroundOf(environment)).deleteOldAnswers(stopping),
    async receiveNotification(received) {
      const [{ receiveNotifications }, { isBadSignature }] = await Promise.all([
        import('./domain/reconciliation/handle-notifications.js'),
        import('./gateways/bad-signature.js'),
      ])
      for (const environment of ['live', 'test'] as const) {
        const { core, gateways } = await open(environment)
        try {
          if (await receiveNotifications(core, await gateways(), received)) return 'stored'
        } catch (error) {
          if (isBadSignature(error)) return 'forged'
          throw error
        }
      }
      return 'unknown'
    },
    async close() {
      await listReader?.close()
      // An error of opening was reported when the app was first used.
      const opened = await Promise.allSettled(environments.values())
      await Promise.all(opened.map((one) => one.status === 'fulfilled' && one.value.close()))
      await railHttp.close()
    },
  }
}

/** Makes gateways of their configuration; the registry of rails is loaded with the first. */
function gatewayConnector(effects: Omit<ConnectionOptions, 'name' | 'credentials'>): ConnectGateway {
  return async ({ kind, environment, baseUrl, ...configuration }) => {
    const [{ rails }, { connectGateway }] = await Promise.all([
      import('./gateways/registry/rails.js'),
      import('./gateways/registry/connected-gateway.js'),
    ])
    const entry = rails[kind]
    if (!entry) throw new Error(`There is no rail ${kind}, which the gateway ${configuration.name} needs`)
    const { name, secrets, merchant } = configuration
    const credentials = {
      environment,
      secrets,
      merchant: merchant ?? undefined,
      baseUrl: baseUrl ?? entry.baseUrl?.[environment] ?? '',
    }
    return await connectGateway(entry, { name, credentials, ...effects })
  }
}

/** The simulator as a gateway that is late, fails or loses answers; nothing where it shall not. */
async function drilled(
  drill: Drill | undefined,
  effects: { readonly random: Random; readonly timers: Timers },
): Promise<Gateway | undefined> {
  if (!drill || drill.latency + drill.failRate + drill.loseAnswers === 0) return undefined
  const { drilledSimulator } = await import('./gateways/simulator/drill.js')
  return drilledSimulator(drill, effects)
}

/** Due jobs wait in maintenance, and until gateways were asked what a restored database has forgotten. */
async function paused(tx: Tx): Promise<boolean> {
  const [{ inMaintenance }, { openCatchUp }] = await Promise.all([
    import('./installation/maintenance.js'),
    import('./domain/gateways/catching-up.js'),
  ])
  return (await inMaintenance(tx)) || (await openCatchUp(tx)) !== undefined
}
