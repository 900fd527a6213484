import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Server, startOurs, startReference } from './servers.js'

/** A processing account and credentials, to take payments in a home. */
export interface Shop {
  /** Headers with credentials. The reference servers receive and ignore them. */
  readonly headers: Readonly<Record<string, string>>
  readonly processingId: string
}

/** Environment of all measurements: payctl's server and the reference servers, with their data on the same disk. */
export interface Setting extends Shop {
  readonly home: string
  /** Folder of the measured source tree; `bin` is its program. */
  readonly tree: string
  readonly bin: string
  readonly ours: Server
  readonly group: Server
  readonly single: Server
  readonly transactionId: string
  /** Whether to measure one round instead of several. */
  readonly isShort: boolean
  /** Whether to list stored bytes by table. */
  readonly byTable: boolean
  /** Number of transactions in the large database that is compared with an empty one. */
  readonly rows: number
  close(): Promise<void>
}

/** Options of a setting, from the command line. */
interface SettingOptions extends Pick<Setting, 'isShort' | 'byTable' | 'rows'> {
  /** Folder of the measured source tree; undefined for this one. */
  readonly tree: string | undefined
}

/** Folder of this tree. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** Returns a function that runs a payctl command in a home, and returns the object that the command prints. */
export function payctlIn(home: string, bin = join(root, 'bin/run.js'), databaseUrl?: string) {
  const database = databaseUrl === undefined ? {} : { PAYCTL_DATABASE_URL: databaseUrl }
  return (...args: string[]): { readonly id: string; readonly secret_key?: string } =>
    JSON.parse(
      execFileSync(process.execPath, [bin, ...args, '--json'], {
        env: { ...process.env, PAYCTL_HOME: home, ...database },
        encoding: 'utf8',
      }),
    )
}

/** Creates a key and a processing account in a home. */
export function openShop(payctl: ReturnType<typeof payctlIn>): Shop {
  const { secret_key: key = '' } = payctl('keys', 'create')
  const { id } = payctl('processing-accounts', 'create', '--data', join(root, 'docs/corner-shop.json'))
  return { headers: { authorization: `Bearer ${key}` }, processingId: id }
}

/** Takes a payment for the shop; returns its id. */
export function payFor(payctl: ReturnType<typeof payctlIn>, { processingId }: Shop): string {
  const words = ['--amount', '29.99', '--card', '4242424242424242', '--expiry', '12/35']
  return payctl('transactions', 'pay', '--processing', processingId, ...words).id
}

/**
 * Opens a setting in `.payctl/bench` of the project: the system's temporary folder may be in memory, where a sync costs
 * no time.
 */
export async function openSetting({ tree = root, ...options }: SettingOptions): Promise<Setting> {
  const bin = join(tree, 'bin/run.js')
  const parent = join(root, '.payctl', 'bench')
  mkdirSync(parent, { recursive: true })
  const home = mkdtempSync(join(parent, 'run-'))
  const payctl = payctlIn(home, bin)
  const shop = openShop(payctl)
  const transactionId = payFor(payctl, shop)
  const servers = await Promise.all([
    startOurs({ PAYCTL_HOME: home }, bin),
    startReference(join(home, 'group.db'), 'group'),
    startReference(join(home, 'single.db'), 'single'),
  ])
  const [ours, group, single] = servers
  return {
    ...shop,
    ...options,
    home,
    tree,
    bin,
    ours,
    group,
    single,
    transactionId,
    async close() {
      await Promise.all(servers.map((server) => server.stop()))
      rmSync(home, { recursive: true, force: true })
    },
  }
}
