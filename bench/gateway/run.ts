/**
 * `npm run bench:gateway -- [--connections 1000] [--milliseconds 300]`: card payments by a gateway that takes that long, so many
 * in flight from one `serve`, against the same load on a proxy that stores nothing, and the memory of `serve`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openApp } from '../../src/app.js'
import { operator } from '../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../src/schema/json.js'
import type { Method } from '../../src/schema/resource.js'
import { load } from '../client.js'
import { cardPayment } from '../payments.js'

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '1000' },
    milliseconds: { type: 'string', default: '300' },
  },
})
const connections = Number(values.connections)
/** How long each measurement is. */
const LENGTH = 10_000
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
    ...[join(root, 'bin/run.js'), 'serve', '--port', port, '--max-connections', '4000'],
    ...['--log-level', 'error'],
  ])
  const pay = (port: number, milliseconds: number) =>
    load({
      ...{ port, connections, milliseconds, method: 'POST', paths: ['/transactions'] },
      body: JSON.stringify(cardPayment(processingId)),
      headers: { authorization: `Bearer ${key}` },
    })
  await pay(proxy.port, 2_000)
  const theirs = await pay(proxy.port, LENGTH)
  await pay(serve.port, 2_000)
  const before = residentMegabytes(serve.child)
  const ours = await pay(serve.port, LENGTH)
  const after = residentMegabytes(serve.child)
  const ratio = ours.perSecond / theirs.perSecond
  tell(`${connections} in flight, a gateway that takes ${values.milliseconds} ms`)
  tell(`serve ${Math.round(ours.perSecond)}/s, p99 ${Math.round(ours.p99)} ms`)
  tell(
    `bare proxy ${Math.round(theirs.perSecond)}/s, p99 ${Math.round(theirs.p99)} ms; ratio ${ratio.toFixed(2)}`,
  )
  tell(`memory of serve ${before} MB, ${after} MB after ${ours.answered} payments`)
}

async function prepare(port: number): Promise<{ key: string; processingId: string }> {
  const app = openApp({ home, gatewayLoopback: true })
  const core = await app.core('test')
  const ask = async (method: Method, path: string, body: JsonObject): Promise<JsonObject> => {
    const { status, body: answer } = await core.handle({ method, path, body, principal: operator })
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

async function started(command: (port: string) => readonly string[]) {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const child = spawn(process.execPath, ['--import', 'tsx', ...command(String(port))], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PAYCTL_HOME: home, PAYCTL_GATEWAY_LOOPBACK: '1' },
  })
  children.push(child)
  while (!(await answers(port))) await pause(50)
  return { child, port }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })
}

function residentMegabytes({ pid }: ChildProcess): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kilobytes) / 1024)
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}
