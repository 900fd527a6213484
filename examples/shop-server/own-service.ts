import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type PaymentService, paymentService } from './payment-service.js'
import { StartProblem } from './start-problem.js'

const RUN = fileURLToPath(new URL('../../bin/run.js', import.meta.url))
const ACCOUNT = fileURLToPath(new URL('../../docs/corner-shop.json', import.meta.url))

/** A service that this process started. */
export interface OwnService extends PaymentService {
  /** Stops the service and deletes its home. */
  stop(): Promise<void>
}

/**
 * Starts a payment service with an empty home, an account and a key, on a free port of this machine. Throws a
 * `StartProblem` if the service does not start.
 */
export async function ownService(): Promise<OwnService> {
  const home = await mkdtemp(join(tmpdir(), 'payctl-shop-'))
  const env = { ...process.env, PAYCTL_HOME: home }
  const payctl = async (...words: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, [RUN, ...words], { env }).catch(
      (cause: Error & { readonly stderr?: string }) => {
        const [line = cause.message] = (cause.stderr ?? '').split('\n').filter((each) => each !== '')
        throw new StartProblem(`The shop's own service does not start: ${line.replace(/^error: /, '')}`, {
          cause,
        })
      },
    )
    return stdout
  }
  await payctl('processing-accounts', 'create', '--data', ACCOUNT)
  const { secret_key: key } = JSON.parse(await payctl('keys', 'create', '--json'))
  const server = spawn(process.execPath, [RUN, 'serve', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'exit')
  const [line] = await Promise.race([
    once(createInterface(server.stdout), 'line'),
    ended.then(() => ['The service has stopped']),
  ])
  const address = /http:\/\/\S+/.exec(String(line))?.[0]
  if (address === undefined) throw new StartProblem(`The shop's own service does not start: ${String(line)}`)
  return {
    ...paymentService(address, key),
    async stop() {
      server.kill()
      await ended
      await rm(home, { recursive: true })
    },
  }
}
