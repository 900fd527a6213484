import { authenticator, type Holder } from './domain/access/authenticate.js'
import type { AuthorizationServer } from './domain/access/authorization-server.js'
import type { OpenedFile } from './domain/attachments/open-attachment.js'
import type { OpenedLink } from './domain/links/open-link.js'
import type { OpenedPayment } from './domain/links/open-payment.js'
import type { Reconciled } from './domain/payments/reconcile.js'
import type { OpenedReceipt } from './domain/receipts/open-receipt.js'
import type { Deliverer } from './domain/webhooks/deliverer.js'
import type { Core } from './engine/core/core.js'
import { createCore } from './engine/core/core.js'
import { type AddressParts, addressesOf } from './engine/core/read/addresses.js'
import type { AdminRules, AnyAdminRules } from './engine/core/write/rule.js'
import type { AnyRules, Environment } from './engine/core/write/work.js'
import type { DueJob, JobRun } from './engine/jobs/job.js'
import type { JobScheduler } from './engine/jobs/job-scheduler.js'
import { MovableClock } from './engine/jobs/movable-clock.js'
import type { Store } from './engine/store/database/store.js'
import { expectWritable } from './engine/store/database/writable.js'
import { openStore } from './engine/store/open-store.js'
import { openVault } from './engine/store/vault/sealed-vault.js'
import type { Vault } from './engine/store/vault/vault.js'
import type { Gateway } from './gateways/contract.js'
import { type Clock, stopwatch as realStopwatch, systemClock } from './platform/clock.js'
import { timeOrderedIds } from './platform/ids.js'
import { lateOutgoing } from './platform/network/late-outgoing.js'
import type { Outgoing } from './platform/network/outgoing.js'
import { type Random, systemRandom } from './platform/random.js'
import { systemTimers, type Timers } from './platform/timers.js'
import { adminOperations } from './resources/admin/admin-operations.js'
import { resources } from './resources/index.js'
import { registryOf } from './schema/registry.js'

/** The composition root: store, vault, gateway, clock, ids and rules, put together once. */
export interface App {
  /** Opens the environment's database on first use. Throws a `StoreError` that says what to do. */
  core(environment: Environment): Promise<Core>
  /** Who holds a credential (a secret key), and in which environment; nothing when it is unknown, revoked or expired. */
  authenticate(credential: string): Promise<Holder | undefined>
  /**
   * Finds operations whose outcome is not known, asks the gateway, and makes the answers that waited for them; and
   * records disputes and bank returns that it tells of. Operations younger than `inFlight` milliseconds are left alone:
   * another process may just be asking. 60 seconds unless given.
   */
  reconcile(environment: Environment, inFlight?: number): Promise<readonly Reconciled[]>
  /**
   * Does what has become due since it was last asked (expired authorisations and the like); answers what was done. Must
   * not be asked again before it has answered. A job that fails is reported, and tried again later. Ends early, between
   * two units of work, when `stopping` is aborted.
   */
  runDueJobs(environment: Environment, stopping?: AbortSignal): Promise<readonly JobRun[]>
  /** The file that an address opens, for whoever has it; nothing when the address is wrong or has ended. */
  openFile(environment: Environment, asked: Omit<AddressParts, 'page'>): Promise<OpenedFile | undefined>
  /** What the page of a payment link shows, of either environment; nothing when there is no such link. */
  openLink(id: string): Promise<OpenedLink | undefined>
  /** What became of a payment, for whoever is known to have made it. */
  openPayment(environment: Environment, id: string): Promise<OpenedPayment | undefined>
  /** The receipt that an address opens; nothing when the address is wrong. */
  openReceipt(environment: Environment, asked: Omit<AddressParts, 'page'>): Promise<OpenedReceipt | undefined>
  /** Deletes the answers that are kept no longer for their idempotency keys; answers how many. */
  forgetAnswers(environment: Environment, stopping: AbortSignal): Promise<number>
  /** A keyed hash of a text, for what a page gives away and has to know again. */
  sign(text: string): string
  /**
   * Tells webhooks what happened, until nothing is due; answers how many attempts were made. Must not be asked again
   * before it has answered. When `stopping` is aborted, what is under way is cut off, and due again.
   */
  deliver(environment: Environment, stopping: AbortSignal): Promise<number>
  /** What OAuth does in an environment. */
  oauth(environment: Environment): Promise<AuthorizationServer>
  /** Deletes logs of webhooks that are kept no longer; answers how many. */
  forgetLogs(environment: Environment, stopping: AbortSignal): Promise<number>
  /** Tells where the service listens, for the addresses that it gives to people; `publicAddress` comes first. */
  servedAt(address: string): void
  close(): Promise<void>
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
  /** The test environment's gateway; the embedded simulator unless given. */
  readonly gateway?: Gateway
  /** How webhooks are told. */
  readonly delivery?: Partial<DeliveryOptions>
  readonly timers?: Timers
  /** Told of errors that no caller sees: the causes of what is answered with a status from 500. */
  readonly report?: (error: unknown) => void
}

export interface DeliveryOptions {
  /** Where receivers on this machine are told: in the test environment unless given (`PAYCTL_WEBHOOK_LOOPBACK`). */
  readonly loopback: 'none' | 'test' | 'both'
  /** Milliseconds until an answer must have begun: 30,000 unless given. */
  readonly timeout: number
  /** Days for which the logs of attempts are kept: 30 unless given. */
  readonly logDays: number
  /** How many attempts are made at once, of all receivers together and of each: 200 and 16 unless given. */
  readonly room: { readonly total: number; readonly each: number }
  /** Instead of requests over the network. */
  readonly http: Outgoing
}

interface Opened {
  readonly store: Store
  readonly vault: Vault
  readonly core: Core
  runDueJobs(stopping?: AbortSignal): Promise<readonly JobRun[]>
  deliver(stopping: AbortSignal): Promise<number>
  close(): Promise<void>
}

/** What is loaded with the first write. */
interface Loaded {
  readonly rules: AnyRules
  readonly adminRules: AnyAdminRules
  readonly jobs: readonly DueJob[]
}

/** Milliseconds that a gateway's call may take. */
const IN_FLIGHT = 60_000
const TIMEOUT = 30_000
const LOG_DAYS = 30
const ROOM = { total: 200, each: 16 }
/** Where `serve` listens unless told. */
const DEFAULT_ADDRESS = 'http://127.0.0.1:4242'

export function openApp(options: AppOptions): App {
  const { home, databaseUrl, clock = systemClock, random = systemRandom } = options
  const { timers = systemTimers, stopwatch = realStopwatch, report = () => undefined } = options
  let publicAddress = options.publicAddress ?? DEFAULT_ADDRESS
  const ids = timeOrderedIds(clock, random)
  const registry = registryOf(resources, Object.values(adminOperations))
  const vault = openVault(home, random)
  const opened = new Map<Environment, Promise<Opened>>()

  const loadRules = async (environment: Environment, movable: MovableClock | undefined): Promise<Loaded> => {
    const [parts, maintenance, { apiKeyRule }, { accessTokenRule }, { simulator }] = await Promise.all([
      import('./domain/rules.js'),
      import('./installation/maintenance/switch.js'),
      import('./domain/access/keys/keys.js'),
      import('./domain/access/keys/client-key.js'),
      import('./gateways/simulator/simulator.js'),
    ])
    // Live has no gateway of its own yet: its payments are refused before anything is stored.
    const gateway = environment === 'test' ? (options.gateway ?? simulator) : undefined
    const jobs = parts.dueJobs(gateway)
    return {
      rules: {
        ...parts.rules({ gateway, random, attachmentBytes: options.attachmentBytes }),
        api_key: apiKeyRule(random, registry),
        access_token: accessTokenRule(random, registry),
      },
      adminRules: {
        ...parts.adminRules(gateway, movable, jobs),
        read_maintenance: maintenance.readMaintenance,
        set_maintenance: maintenance.setMaintenance,
      } satisfies AdminRules,
      jobs,
    }
  }

  const start = async (environment: Environment): Promise<Opened> => {
    const store = await openStore({ home, databaseUrl, environment, random }).catch((error: unknown) => {
      // Whoever asks next tries again.
      opened.delete(environment)
      throw error
    })
    const movable = environment === 'test' ? new MovableClock(clock, stopwatch) : undefined
    let loaded: Promise<Loaded> | undefined
    const load = () => {
      loaded ??= loadRules(environment, movable)
      return loaded
    }
    const core = createCore({
      ...{ registry, store, vault, ids, environment, report },
      addresses: addressesOf(() => publicAddress, environment, vault),
      ...{ clock, businessClock: movable ?? { at: async () => clock.now() } },
      rules: async () => (await load()).rules,
      adminRules: async () => (await load()).adminRules,
    })
    let scheduler: JobScheduler | undefined
    const runDueJobs = async (stopping?: AbortSignal) => {
      const [{ JobScheduler }, { inMaintenance: paused }, { jobs }] = await Promise.all([
        import('./engine/jobs/job-scheduler.js'),
        import('./installation/maintenance/switch.js'),
        load(),
      ])
      const runner = { read: core.read, write: core.write }
      scheduler ??= new JobScheduler({ runner, jobs, movable, stopwatch, paused, report })
      return await scheduler.tick(stopping)
    }
    const { timeout = TIMEOUT, room = ROOM, loopback = 'test', ...given } = options.delivery ?? {}
    const http =
      given.http ?? lateOutgoing({ reach: { loopback: loopback === 'both' || loopback === environment } })
    let deliverer: Deliverer | undefined
    const deliver = async (stopping: AbortSignal) => {
      const { Deliverer } = await import('./domain/webhooks/deliverer.js')
      deliverer ??= new Deliverer({
        runner: { read: core.read, write: core.write },
        ...{ http, vault, clock, random, timers, timeout, room },
      })
      return await deliverer.run(stopping)
    }
    const close = async () => {
      await http.close()
      await store.close()
    }
    return { store, vault, core, runDueJobs, deliver, close }
  }

  const open = (environment: Environment): Promise<Opened> => {
    const known = opened.get(environment) ?? start(environment)
    opened.set(environment, known)
    return known
  }

  return {
    core: async (environment) => (await open(environment)).core,
    authenticate: authenticator(open, clock),
    async reconcile(environment, inFlight = IN_FLIGHT) {
      const { core, store } = await open(environment)
      await expectWritable(store)
      if (environment !== 'test' || options.gateway?.kind !== 'remote') return []
      const { reconcile } = await import('./domain/payments/reconcile.js')
      const reconciled = await reconcile(core.write, options.gateway, clock.now() - inFlight)
      await core.completeAnswers()
      const { collectNotices } = await import('./domain/disputes/notices.js')
      for (const { notice, refusal } of await collectNotices(core.write, options.gateway))
        if (refusal)
          report(new Error(`The ${notice.kind} ${notice.dispute} cannot be recorded`, { cause: refusal }))
      return reconciled
    },
    runDueJobs: async (environment, stopping) => await (await open(environment)).runDueJobs(stopping),
    async openFile(environment, asked) {
      const [{ core }, { openAttachment }] = await Promise.all([
        open(environment),
        import('./domain/attachments/open-attachment.js'),
      ])
      return await core.read((work) => openAttachment(work, asked))
    },
    async openLink(id) {
      const { openLink } = await import('./domain/links/open-link.js')
      for (const environment of ['live', 'test'] as const) {
        const link = await (await open(environment)).core.read((work) => openLink(work, id))
        if (link) return link
      }
      return undefined
    },
    async openPayment(environment, id) {
      const [{ core }, { openPayment }] = await Promise.all([
        open(environment),
        import('./domain/links/open-payment.js'),
      ])
      return await core.read((work) => openPayment(work, id))
    },
    async openReceipt(environment, asked) {
      const [{ core }, { openReceipt }] = await Promise.all([
        open(environment),
        import('./domain/receipts/open-receipt.js'),
      ])
      return await core.read((work) => openReceipt(work, asked))
    },
    async forgetAnswers(environment, stopping) {
      const [{ core }, { forgetAnswers }] = await Promise.all([
        open(environment),
        import('./installation/maintenance/forget-answers.js'),
      ])
      return await forgetAnswers(core.write, stopping)
    },
    sign: (text) => vault.hash(text, 'page'),
    async forgetLogs(environment, stopping) {
      const [{ core }, { forgetLogs }] = await Promise.all([
        open(environment),
        import('./domain/webhooks/forget-logs.js'),
      ])
      return await forgetLogs(core.write, options.delivery?.logDays ?? LOG_DAYS, stopping)
    },
    deliver: async (environment, stopping) => await (await open(environment)).deliver(stopping),
    async oauth(environment) {
      const [{ core }, { authorizationServer }] = await Promise.all([
        open(environment),
        import('./domain/access/authorization-server.js'),
      ])
      return authorizationServer({ core, registry, random })
    },
    servedAt(address) {
      publicAddress = options.publicAddress ?? address
    },
    async close() {
      // What could not be opened was told to whoever asked for it.
      const known = await Promise.allSettled(opened.values())
      await Promise.all(known.map((one) => one.status === 'fulfilled' && one.value.close()))
    },
  }
}
