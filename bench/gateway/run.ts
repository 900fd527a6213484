/**
 * `npm run long -- bench-gateway [--connections 1000] [--milliseconds 300] [--seconds 10]`
 *
 * Takes card payments through a slow gateway, so that many are under way in one `serve`. The reference is a proxy
 * without storage, under the same load. Measures payments per second, the maximum of concurrent requests at the
 * gateway, CPU time per payment, and memory over time.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openApp } from '../../src/app.js'
import { owner } from '../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../src/schema/json.js'
import type { Method } from '../../src/schema/resource.js'
import { load } from '../client.js'
import { cardPayment } from '../payments.js'
import { residentMegabytes } from '../processes.js'
import { freePort, listening } from '../servers.js'

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '1000' },
    milliseconds: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '10' },
  },
})
const connections = Number(values.connections)
/** Duration of each measurement, in milliseconds. */
const length = 1000 * Number(values.seconds)
/** Clock ticks per second: Linux reports CPU time in ticks. */
const TICKS = 100
const root = fileURLToPath(new URL('../..', import.meta.url))
const parent = join(root, '.payctl', 'bench')
mkdirSync(parent, { recursive: true })
const home = mkdtempSync(join(parent, 'gateway-'))
const children: ChildProcess[] = []

try {
  await run()
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true })
}

async function run(): Promise<void> {
  const gateway = await started((port) => [script('slow-gateway.ts'), port, values.milliseconds])
  const proxy = await started((port) => [script('bare-proxy.ts'), port, String(gateway.port)])
  const { key, processingId } = await prepare(gateway.port)
  const serve = await started((port) => [
    join(root, 'bin/run.js'),
    'serve',
    '--port',
    port,
    '--max-connections',
    '4000',
    '--log-level',
    'error',
  ])
  const pay = (port: number, milliseconds: number, at = connections) =>
    load({
      port,
      connections: at,
      milliseconds,
      method: 'POST',
      paths: ['/transactions'],
      body: JSON.stringify(cardPayment(processingId)),
      headers: { authorization: `Bearer ${key}` },
    })
  const measure = async (name: string, { child, port }: Started, at = connections) => {
    await pay(port, 2_000, at)
    await mostAtOnce(gateway.port)
    const before = cpuMilliseconds(child)
    const paid = await pay(port, length, at)
    const cost = (cpuMilliseconds(child) - before) / paid.answered
    const most = await mostAtOnce(gateway.port)
    tell(
      `${name}, ${at} clients: ${Math.round(paid.perSecond)}/s, p99 ${Math.round(paid.p99)} ms, ${most} at the gateway at most, ${cost.toFixed(2)} ms of CPU each`,
    )
    return paid
  }
  tell(`A gateway that takes ${values.milliseconds} ms`)
  await measure('serve', serve, 1)
  const theirs = await measure('bare proxy', proxy)
  const memory = [residentMegabytes(serve.child.pid)]
  const ours = await measure('serve', serve)
  memory.push(residentMegabytes(serve.child.pid))
  for (let more = 0; more < 2; more++) {
    await pay(serve.port, length)
    memory.push(residentMegabytes(serve.child.pid))
  }
  tell(`ratio ${(ours.perSecond / theirs.perSecond).toFixed(2)}`)
  tell(`memory of serve in MB, before and after each of three such loads: ${memory.join(', ')}`)
}

async function prepare(port: number): Promise<{ key: string; processingId: string }> {
  const app = openApp({ home, gatewayLoopback: true })
  const { core } = await app.environment('test')
  const ask = async (method: Method, path: string, body: JsonObject): Promise<JsonObject> => {
    const { status, body: answer } = await core.handle({ method, path, body, principal: owner })
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer
  }
  const base_url = `http://127.0.0.1:${port}`
  await ask('POST', '/admin/gateways', {
    kind: 'peer',
    name: 'slow',
    base_url,
    credentials: { secret_key: 'test_1' },
  })
  await ask('PUT', '/admin/gateway_routes', { default: 'slow' })
  const { id } = await ask(
    'POST',
    '/processing_accounts',
    JSON.parse(readFileSync(join(root, 'docs/corner-shop.json'), 'utf8')),
  )
  const { secret_key: key } = await ask('POST', '/admin/keys', {})
  await app.close()
  return { key: String(key), processingId: String(id) }
}

function script(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}

interface Started {
  readonly child: ChildProcess
  readonly port: number
}

async function started(command: (port: string) => readonly string[]): Promise<Started> {
  const port = await freePort()
  const child = spawn(process.execPath, ['--import', 'tsx', ...command(String(port))], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PAYCTL_HOME: home, PAYCTL_GATEWAY_LOOPBACK: '1' },
  })
  children.push(child)
  await listening(child, port)
  return { child, port }
}

/** Maximum of concurrent requests at the gateway since the previous call. */
async function mostAtOnce(port: number): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${port}/most`)).text())
}

/** CPU time that a process and its threads have used so far, in milliseconds. */
function cpuMilliseconds({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const [user, system] = [fields[11], fields[12]].map(Number)
  return ((Number(user) + Number(system)) * 1000) / TICKS
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}
