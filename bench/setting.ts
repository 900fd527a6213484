import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Server, startOurs, startReference } from './servers.js'

/** An account that may take payments in a home. */
export interface Shop {
  /** Headers with credentials; the references get them too, and ignore them. */
  readonly headers: Readonly<Record<string, string>>
  readonly processingId: string
}

/** Setting of every measurement: our server and the references, side by side on the same disk. */
export interface Setting extends Shop {
  readonly home: string
  /** The measured tree, and its program. */
  readonly tree: string
  readonly bin: string
  readonly ours: Server
  readonly group: Server
  readonly single: Server
  readonly transactionId: string
  /** Whether one round instead of several is enough. */
  readonly isShort: boolean
  /** Whether stored bytes are listed by table. */
  readonly byTable: boolean
  /** Number of transactions in a database that is not empty. */
  readonly rows: number
  close(): Promise<void>
}

/** Options of a setting, from the command line. */
interface SettingOptions extends Pick<Setting, 'isShort' | 'byTable' | 'rows'> {
  /** The measured tree; undefined for this one. */
  readonly tree: string | undefined
}

/** Folder of this tree. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs commands in a home; returns the objects that they print. */
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

/** Makes a key and a processing account in a home. */
export function openShop(payctl: ReturnType<typeof payctlIn>): Shop {
  const { secret_key: key = '' } = payctl('keys', 'create')
  const { id } = payctl('processing-accounts', 'create', '--data', join(root, 'docs/corner-shop.json'))
  return { headers: { authorization: `Bearer ${key}` }, processingId: id }
}

/** Id of a payment to the shop, to be read. */
export function payFor(payctl: ReturnType<typeof payctlIn>, { processingId }: Shop): string {
  const words = ['--amount', '29.99', '--card', '4242424242424242', '--expiry', '12/35']
  return payctl('transactions', 'pay', '--processing', processingId, ...words).id
}

/** Opens a setting in .payctl/bench of the project; a temporary folder may be in memory, and never sync. */
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
