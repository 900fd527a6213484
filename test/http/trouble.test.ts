import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { constants, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { createServer, Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { openStore } from '../../src/engine/store/open-store.js'
import { LINES_DROPPED } from '../../src/http/api/log.js'
import { systemRandom } from '../../src/platform/random.js'
import type { JsonObject } from '../../src/schema/json.js'
import { payctl } from '../cli/commands/payctl.js'
import { audit } from '../support/audit/audit.js'
import { readKept } from '../support/audit/kept.js'
import { idOf, objectOf, valuesOf } from '../support/core.js'
import { onPostgres, onSqlite, type Place } from '../support/databases.js'
import { card, processingAccount } from '../support/examples.js'
import { openProxy } from '../support/proxy.js'
import { type Server, startServer } from '../support/server-process.js'
import { fill, mayMount, onSmallDisk } from '../support/small-disk.js'

interface Answer {
  readonly status: number
  readonly body: JsonObject
}

/**
 * Waits until the write-ahead log is emptied after the last write. If it were emptied later, it would free
 * space on the full disk.
 */
async function emptied(service: Service, home: string): Promise<void> {
  while (statSync(join(home, 'test.db-wal')).size > 0) await service.ask('GET', '/healthz')
}

/** `payctl serve` with its own key, and its log lines after it has stopped. */
interface Service {
  ask(method: string, path: string, body?: JsonObject): Promise<Answer>
  stop(): Promise<JsonObject[]>
}

async function serving(
  place: Place,
  work: (service: Service) => Promise<void>,
  log?: { readonly file: string; readonly level: string },
): Promise<void> {
  const made = await payctl(place, ['keys', 'create', '--json'])
  const { secret_key } = objectOf(JSON.parse(made.stdout))
  const server = log
    ? await startServer(place, ['--log-level', log.level], '0', [
        'sh',
        '-c',
        `exec "$@" 2>>"${log.file}"`,
        'sh',
      ])
    : await startServer(place)
  try {
    await work(serviceOf(server, String(secret_key)))
  } finally {
    server.kill()
    await server.ended
  }
}

function serviceOf(server: Server, key: string): Service {
  return {
    async ask(method, path, body) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(server.address + path, {
        method,
        headers,
        body: body && JSON.stringify(body),
      })
      return { status: response.status, body: objectOf(JSON.parse(await response.text())) }
    },
    async stop() {
      expect(await server.stop()).to.equal(0)
      const lines = (await server.ended).split('\n').filter((line) => line !== '')
      return lines.map((line) => objectOf(JSON.parse(line)))
    },
  }
}

/** Expects an answer that tells programs to retry and reveals no details. */
function expectUnavailable({ status, body }: Answer): void {
  expect(status).to.equal(503)
  expect(body).to.deep.equal({
    object: 'error',
    error_type: 'ServiceUnavailable',
    error_description: 'The service cannot reach its database now; nothing was changed',
    details: {},
  })
}

/** Expects log lines that all have one of these sentences and this cause, and no stack. */
function expectTold(lines: readonly JsonObject[], sentence: string | RegExp, cause: RegExp): void {
  expect(lines).to.not.deep.equal([])
  for (const line of lines) {
    const { stack, ...err } = objectOf(line.err)
    expect(stack).to.equal(undefined)
    expect(err).to.include({ type: 'StoreError' })
    if (sentence instanceof RegExp) expect(err.message).to.match(sentence)
    else expect(err.message).to.equal(sentence)
    expect(err.cause).to.match(cause)
  }
}

describe('payctl serve with a failing database', () => {
  onSqlite((open) => {
    it('refuses writes while the file is missing, and continues when it returns', async () => {
      const place = await open.place()
      const path = join(place.home, 'test.db')
      await serving(place, async (service) => {
        const make = (name: string) => service.ask('POST', '/customers', { name })
        expect((await make('before')).status).to.equal(200)
        renameSync(path, `${path}.away`)
        expectUnavailable(await make('meanwhile'))
        renameSync(`${path}.away`, path)
        expect((await make('after')).status).to.equal(200)
        await expectKept(service, ['after', 'before'])
        const sentence = `The database ${path} is gone; put the file back or restore a backup.`
        expectTold(await service.stop(), sentence, /^Error: /)
      })
    })

    if (mayMount)
      it('refuses payments while the disk is full, completes none in part, and continues when there is space', () =>
        onSmallDisk(async (home) => {
          const place: Place = { dialect: 'sqlite', home }
          await serving(place, async (service) => {
            const { body } = await service.ask('POST', '/processing_accounts', processingAccount())
            const destination = { processing_id: idOf(body) }
            const payment = { type: 'payment', amount: 10, payment_method: card(), ...destination }
            const payTogether = () =>
              Promise.all(Array.from({ length: 16 }, () => service.ask('POST', '/transactions', payment)))
            const taken = async () => {
              for (const { status } of await payTogether()) expect(status).to.equal(200)
            }
            await taken()
            await emptied(service, home)
            const free = fill(home)
            for (const answer of await payTogether()) expectUnavailable(answer)
            for (const answer of await payTogether()) expectUnavailable(answer)
            // Existing data can still be read.
            expect(valuesOf((await service.ask('GET', '/transactions')).body)).to.have.length(16)
            free()
            await taken()
            const sentence = `The disk that holds ${home}/test.db is full; free some space and try again.`
            expectTold(await service.stop(), sentence, /^SQLITE_FULL: /)
          })
          const store = await openStore({ ...place, environment: 'test', random: systemRandom })
          const kept = await store.read(readKept)
          await store.close()
          expect(kept.transactions).to.have.length(32)
          expect(audit(kept)).to.deep.equal([])
        }))

    if (mayMount)
      it('answers while the disk of its log is full, and continues to log when there is space', () =>
        onSmallDisk(async (home) => {
          const file = join(home, 'serve.log')
          const logged = () =>
            readFileSync(file, 'utf8')
              .trimEnd()
              .split('\n')
              .map((line) => objectOf(JSON.parse(line)))
          await serving(
            { dialect: 'sqlite', home },
            async (service) => {
              const { body } = await service.ask('POST', '/processing_accounts', processingAccount())
              const payment = {
                type: 'payment',
                amount: 10,
                payment_method: card(),
                processing_id: idOf(body),
              }
              const pay = async () => (await service.ask('POST', '/transactions', payment)).status
              expect(await pay()).to.equal(200)
              await emptied(service, home)
              const free = fill(home)
              for (let tries = 0; tries < 40; tries++) {
                expect(await pay()).to.equal(503)
                expect((await service.ask('GET', '/healthz')).status).to.equal(200)
              }
              free()
              expect(await pay()).to.equal(200)
              await service.stop()
            },
            { file, level: 'debug' },
          )
          const paid = logged().filter(({ method, path }) => method === 'POST' && path === '/transactions')
          expect(paid.map(({ status }) => status)).to.deep.equal([200, ...Array(40).fill(503), 200])
        }))

    it('answers while its log is not read, and reports later how many lines are missing', async () => {
      const place = await open.place()
      const file = join(place.home, 'log')
      execFileSync('mkfifo', [file])
      // The pipe is opened for reading, so that the service can open it, but is not read.
      const pipe = openSync(file, constants.O_RDWR | constants.O_NONBLOCK)
      await serving(
        place,
        async (service) => {
          // More log than a pipe and its buffer hold.
          const path = `/customers/${'x'.repeat(5_000)}`
          for (let rounds = 0; rounds < 30; rounds++)
            await Promise.all(Array.from({ length: 10 }, () => service.ask('GET', path)))
          const { status } = await service.ask('POST', '/customers', { name: 'Ada' })
          expect(status).to.equal(200)
          const lines = await linesUntil(pipe, LINES_DROPPED)
          expect(lines.at(-1)?.lines).to.be.a('number').and.be.above(0)
          expect(lines.filter(({ msg }) => msg === 'request')).to.have.length.above(100)
        },
        { file, level: 'info' },
      )
    })
  })

  onPostgres((open) => {
    it('refuses requests while the server is unreachable, and continues when it returns', async () => {
      const { databaseUrl = '', ...place } = await open.place()
      const url = new URL(databaseUrl)
      const proxy = await openProxy(Number(url.port))
      open.atEnd(() => proxy.cut())
      url.port = String(proxy.port)
      await serving({ ...place, databaseUrl: url.href }, async (service) => {
        const make = (name: string) => service.ask('POST', '/customers', { name })
        expect((await make('before')).status).to.equal(200)
        await proxy.cut()
        expectUnavailable(await make('meanwhile'))
        expectUnavailable(await service.ask('GET', '/customers'))
        await proxy.restore()
        expect((await make('after')).status).to.equal(200)
        await expectKept(service, ['after', 'before'])
        const place = url.host + url.pathname
        // A background job may have been in a commit when the connection was lost.
        const sentence = new RegExp(
          `^PostgreSQL (cannot be reached at ${place} \\([^)]+\\); start it or fix PAYCTL_DATABASE_URL|at ${place} was lost during a commit: whether that was done is not known; see to the server, and look)\\.$`,
        )
        // Earlier commits wait to be sealed until the server is back.
        const unsealed = /^What was committed in (test|live) could not be sealed$/
        const told = (await service.stop()).filter(({ err }) => !unsealed.test(String(objectOf(err).message)))
        expectTold(told, sentence, /ECONNREFUSED|ECONNRESET|Connection terminated/)
      })
    })
  })
})

/** Reads log lines from a pipe up to one with this message. */
async function linesUntil(pipe: number, message: string): Promise<JsonObject[]> {
  const reader = new Socket({ fd: pipe, readable: true, writable: false })
  const lines: JsonObject[] = []
  try {
    for await (const line of createInterface(reader)) {
      lines.push(objectOf(JSON.parse(line)))
      if (lines.at(-1)?.msg === message) break
    }
    return lines
  } finally {
    // The test can also write to the pipe, so reading never ends; without this, the process would not end.
    reader.destroy()
  }
}

async function expectKept(service: Service, names: readonly string[]): Promise<void> {
  const { body } = await service.ask('GET', '/customers?fields=name&order_by=name')
  expect(valuesOf(body)).to.deep.equal(names.map((name) => ({ name })))
}

describe('payctl serve on an address where it cannot listen', () => {
  onSqlite((open) => {
    const refusals = {
      'the port is taken': async () => {
        const other = createServer().listen(0, '127.0.0.1')
        await once(other, 'listening')
        const address = other.address()
        const port = typeof address === 'object' && address ? address.port : 0
        const sentence = `Port ${port} of 127.0.0.1 is taken by another program: stop it, or choose another port.`
        return { flags: ['--port', String(port)], sentence, end: () => other.close() }
      },
      'the address is another machine': async () => {
        const sentence = '192.0.2.1 is not an address of this machine: choose one, such as 127.0.0.1.'
        return { flags: ['--host', '192.0.2.1', '--port', '0'], sentence, end: () => undefined }
      },
    }
    for (const [what, prepare] of Object.entries(refusals))
      it(`reports that ${what}`, async () => {
        const place = await open.place()
        const { flags, sentence, end } = await prepare()
        try {
          const said = await payctl(place, ['serve', ...flags])
          expect(said).to.deep.equal({ exitCode: 9, stdout: '', stderr: `error: ${sentence}\n` })
          const { stdout, stderr } = await payctl(place, ['serve', ...flags, '--json'])
          expect(stdout).to.equal('')
          expect(JSON.parse(stderr)).to.include({ error_description: sentence, exit_code: 9 })
        } finally {
          end()
        }
      })
  })
})
