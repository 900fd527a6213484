import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { inHome } from '../../support/home.js'
import { hasTerminal, Terminal } from '../../support/terminal.js'

const PACKAGE = fileURLToPath(new URL('../../..', import.meta.url))

describe('payctl under an outdated Node', () => {
  it('runs on the Node of its clone, with the same streams and exit codes', () =>
    inHome(async (clone) => {
      makeClone(clone)
      const listed = await outcome(start(clone, ['customers', 'list', '--json']))
      expect(listed).to.include({ code: 0, signal: null, said: '' })
      expect(JSON.parse(listed.output)).to.include({ object: 'list' })
      expect(processesOf(clone)).to.have.length(1)

      const child = start(clone, ['api', 'POST', '/customers', '--data', '-', '--json'])
      child.stdin?.end('{"name":"Ada"}')
      expect(JSON.parse((await outcome(child)).output)).to.include({ name: 'Ada' })

      const wrong = await outcome(start(clone, ['customers', 'list', '--wrong']))
      expect(wrong).to.include({ code: 2, output: '', said: 'error: Nonexistent flag: --wrong\n' })
    }))

  it('passes SIGTERM on to its server process, and ends with it', () =>
    inHome(async (clone) => {
      makeClone(clone)
      const { child, address } = await serving(clone)
      expect((await fetch(`${address}/healthz`)).status).to.equal(200)
      child.kill('SIGTERM')
      expect(await once(child, 'exit')).to.deep.equal([0, null])
      await expectEnded(clone)
    }))

  it('ends with the signal that ended its child', () =>
    inHome(async (clone) => {
      makeClone(clone)
      const { child } = await serving(clone)
      for (const id of processesOf(clone)) process.kill(id, 'SIGKILL')
      expect(await once(child, 'exit')).to.deep.equal([null, 'SIGKILL'])
    }))

  it('leaves no child process behind if it is killed by SIGKILL', () =>
    inHome(async (clone) => {
      makeClone(clone)
      const { child } = await serving(clone)
      child.kill('SIGKILL')
      await once(child, 'exit')
      await expectEnded(clone)
    }))

  if (hasTerminal())
    it('lets Ctrl-C interrupt a write once, and waits for the answer', () =>
      inHome(async (clone) => {
        makeClone(clone)
        const bank = createServer()
        const requested = once(bank, 'request')
        await once(bank.listen(0, '127.0.0.1'), 'listening')
        const { port } = portOf(bank.address())
        const variables = { PAYCTL_SERVER: `http://127.0.0.1:${port}`, PAYCTL_KEY: 'test_secret_key_1' }
        const terminal = await Terminal.open({ home: clone }, { variables })
        try {
          await terminal.enter(`${join(clone, 'bin', 'run.js')} customers create --name Ada; echo "exit $?"`)
          const [, response] = await requested
          await terminal.press('C-c')
          await terminal.sees('Already sent: waiting for the answer')
          response.setHeader('x-api-version', '1').end('{"id":"cust_1","object":"customer","name":"Ada"}')
          expect(await terminal.sees('exit 130')).to.match(/name +Ada/)
        } finally {
          terminal.close()
          bank.close()
        }
      }))

  it('names the required Node if none is installed', () =>
    inHome(async (place) => {
      makeClone(place)
      rmSync(join(place, 'node_modules'), { recursive: true })
      const needs = `payctl needs Node 99.1 or newer, and this is ${process.versions.node}`
      const installed = await outcome(start(place, ['customers', 'list']))
      expect(installed).to.include({ code: 1, output: '' })
      expect(installed.said).to.equal(
        `error: ${needs}; install a newer one, or use a clone of the source, which brings its own\n`,
      )

      mkdirSync(join(place, 'scripts', 'node'), { recursive: true })
      const cloned = await outcome(start(place, ['customers', 'list', '--json']))
      expect(cloned).to.include({ code: 1, output: '' })
      expect(JSON.parse(cloned.said)).to.include({
        error_description: `${needs}; run npm ci in ${realpathSync(place)}, or install a newer one`,
        exit_code: 1,
      })
    }))

  it('never starts itself recursively', () =>
    inHome(async (clone) => {
      makeClone(clone)
      rmSync(join(clone, 'node_modules', '.bin', 'node'))
      symlinkSync(process.execPath, join(clone, 'node_modules', '.bin', 'node'))
      const { code, said } = await outcome(start(clone, ['customers', 'list']))
      expect(code).to.equal(1)
      expect(said).to.match(/^error: payctl needs Node 99\.1 or newer/)
    }))
})

/**
 * Makes a clone that requires a newer Node than this Node. The clone's own Node is this Node under
 * another name, which writes its process id to a file at each start.
 */
function makeClone(folder: string): void {
  for (const name of ['bin', 'package.json'])
    cpSync(join(PACKAGE, name), join(folder, name), { recursive: true })
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8')
  writeFileSync(join(folder, 'package.json'), manifest.replace(/"node": ">=[\d.]+"/, '"node": ">=99.1"'))
  for (const name of ['dist', 'prebuilds']) symlinkSync(join(PACKAGE, name), join(folder, name))
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '.bin'), { recursive: true })
  for (const name of readdirSync(join(PACKAGE, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(PACKAGE, 'node_modules', name), join(modules, name))
  const node = join(modules, '.bin', 'node')
  writeFileSync(
    node,
    `#!/bin/sh\necho $$ >>'${join(folder, 'processes')}'\nexec '${process.execPath}' "$@"\n`,
  )
  chmodSync(node, 0o755)
}

/** Runs the command of a clone on this Node, which is too old for the clone. */
function start(clone: string, words: readonly string[]): ChildProcess {
  const env = { PATH: process.env['PATH'], PAYCTL_HOME: clone }
  return spawn(process.execPath, [join(clone, 'bin', 'run.js'), ...words], { env, stdio: 'pipe' })
}

async function outcome(child: ChildProcess) {
  const closed = once(child, 'close')
  const [output, said] = await Promise.all([all(child.stdout), all(child.stderr)])
  const [code, signal]: (number | string | null)[] = await closed
  return { code, signal, output, said }
}

/** Starts `serve`, and waits until it prints its address. */
async function serving(clone: string) {
  const child = start(clone, ['serve', '--port', '0'])
  const lines = createInterface({ input: child.stdout ?? process.stdin })
  for await (const line of lines) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (address !== undefined) return { child, address }
  }
  throw new Error('serve has ended')
}

/** Ids of the processes that ran the clone's own Node. */
function processesOf(clone: string): number[] {
  return readFileSync(join(clone, 'processes'), 'utf8').trim().split('\n').map(Number)
}

/** Waits until none of the clone's own processes is left. */
async function expectEnded(clone: string): Promise<void> {
  for (const id of processesOf(clone)) while (isRunning(id)) await nextTurn()
}

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch {
    return false
  }
}

function portOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return address
}

async function all(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream ? await text(stream) : ''
}
