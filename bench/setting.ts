import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Server, startOurs, startReference } from './servers.js'

/** What every measurement works on: our server and the references, side by side on the same disk. */
export interface Setting {
  readonly home: string
  readonly ours: Server
  readonly group: Server
  readonly single: Server
  /** Credentials; the references get them too, and do not look. */
  readonly headers: Readonly<Record<string, string>>
  readonly processingId: string
  readonly transactionId: string
  close(): Promise<void>
}

const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs a command in a home; answers the object that it prints. */
export function payctlIn(home: string) {
  return (...args: string[]): { readonly id: string; readonly secret_key?: string } =>
    JSON.parse(
      execFileSync(process.execPath, [join(root, 'bin/run.js'), ...args, '--json'], {
        env: { ...process.env, PAYCTL_HOME: home },
        encoding: 'utf8',
      }),
    )
}

/** Everything lies in .payctl/bench of the project, because a temporary folder may be memory and never sync. */
export async function openSetting(): Promise<Setting> {
  const parent = join(root, '.payctl', 'bench')
  mkdirSync(parent, { recursive: true })
  const home = mkdtempSync(join(parent, 'run-'))
  const payctl = payctlIn(home)
  const { secret_key: key = '' } = payctl('keys', 'create')
  const account = payctl('processing-accounts', 'create', '--data', join(root, 'docs/corner-shop.json'))
  const card = ['--card', '4242424242424242', '--expiry', '12/35']
  const payment = payctl('transactions', 'pay', '--amount', '29.99', '--processing', account.id, ...card)
  const servers = await Promise.all([
    startOurs({ PAYCTL_HOME: home }),
    startReference(join(home, 'group.db'), 'group'),
    startReference(join(home, 'single.db'), 'single'),
  ])
  const [ours, group, single] = servers
  return {
    home,
    ours,
    group,
    single,
    headers: { authorization: `Bearer ${key}` },
    processingId: account.id,
    transactionId: payment.id,
    async close() {
      await Promise.all(servers.map((server) => server.stop()))
      rmSync(home, { recursive: true, force: true })
    },
  }
}
