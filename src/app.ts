import { createCore } from './core/core.js'
import type { Core } from './core/request.js'
import type { AnyRules, Environment } from './core/work.js'
import { type Clock, systemClock } from './effects/clock.js'
import { timeOrderedIds } from './effects/ids.js'
import { type Random, systemRandom } from './effects/random.js'
import type { Gateway } from './gateways/gateway.js'
import { authenticator, type Holder } from './oauth/authenticate.js'
import type { Reconciled } from './payments/reconcile.js'
import { adminOperations } from './resources/admin-operations.js'
import { resources } from './resources/index.js'
import { datetimeOf } from './schema/datetime.js'
import { registryOf } from './schema/registry.js'
import { openStore } from './store/open-store.js'
import { openVault } from './store/sealed-vault.js'
import type { Store } from './store/store.js'
import type { Vault } from './store/vault.js'
import { expectWritable } from './store/writable.js'

/** The composition root: store, vault, gateway, clock, ids and rules, put together once. */
export interface App {
  /** Opens the environment's database on first use. Throws a `StoreError` that says what to do. */
  core(environment: Environment): Promise<Core>
  /** Who holds a credential (a secret key), and in which environment; nothing when it is unknown, revoked or expired. */
  authenticate(credential: string): Promise<Holder | undefined>
  /**
   * Finds operations whose outcome is not known, asks the gateway, and makes the answers that waited for them. Younger
   * ones than `inFlight` milliseconds are left alone: another process may just be asking. 60 seconds unless given.
   */
  reconcile(environment: Environment, inFlight?: number): Promise<readonly Reconciled[]>
  close(): Promise<void>
}

export interface AppOptions {
  /** Folder for databases, keys and settings (`PAYCTL_HOME`). */
  readonly home: string
  /** `postgres://…`; SQLite in the home folder unless given (`PAYCTL_DATABASE_URL`). */
  readonly databaseUrl?: string
  readonly clock?: Clock
  readonly random?: Random
  /** The test environment's gateway; the embedded simulator unless given. */
  readonly gateway?: Gateway
  /** Told of errors that no caller sees: the causes of what is answered with a status from 500. */
  readonly report?: (error: unknown) => void
}

interface Opened {
  readonly store: Store
  readonly vault: Vault
  readonly core: Core
}

/** Milliseconds that a gateway's call may take. */
const IN_FLIGHT = 60_000

export function openApp(options: AppOptions): App {
  const { home, databaseUrl, clock = systemClock, random = systemRandom, report = () => undefined } = options
  const ids = timeOrderedIds(clock, random)
  const registry = registryOf(resources, Object.values(adminOperations))
  const vault = openVault(home, random)
  const opened = new Map<Environment, Promise<Opened>>()

  const loadRules = async (environment: Environment): Promise<AnyRules> => {
    const [{ rules }, { apiKeyRule }, { simulator }] = await Promise.all([
      import('./rules.js'),
      import('./oauth/keys.js'),
      import('./gateways/simulator.js'),
    ])
    // Live has no gateway of its own yet: its payments are refused before anything is stored.
    const gateway = environment === 'test' ? (options.gateway ?? simulator) : undefined
    return { ...rules(gateway), api_key: apiKeyRule(random, registry) }
  }

  const start = async (environment: Environment): Promise<Opened> => {
    const store = await openStore({ home, databaseUrl, environment, random }).catch((error: unknown) => {
      // Whoever asks next tries again.
      opened.delete(environment)
      throw error
    })
    let loaded: Promise<AnyRules> | undefined
    const rules = () => {
      loaded ??= loadRules(environment)
      return loaded
    }
    const adminRules = async () => (await import('./rules.js')).adminRules
    const businessClock = { at: async () => clock.now() }
    const core = createCore({
      ...{ registry, store, vault, clock, businessClock, ids },
      ...{ environment, rules, adminRules, report },
    })
    return { store, vault, core }
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
      const { reconcile } = await import('./payments/reconcile.js')
      const reconciled = await reconcile(core.transact, options.gateway, datetimeOf(clock.now() - inFlight))
      await core.completeAnswers()
      return reconciled
    },
    async close() {
      // What could not be opened was told to whoever asked for it.
      const known = await Promise.allSettled(opened.values())
      await Promise.all(known.map((one) => one.status === 'fulfilled' && one.value.store.close()))
    },
  }
}
