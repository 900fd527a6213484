import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { openApp } from '../../../src/app.js'
import { owner } from '../../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { inHome } from '../../support/home.js'

const DEV = fileURLToPath(new URL('../../../bin/dev.js', import.meta.url))
const COMMAND = fileURLToPath(new URL('compiled-command.cjs', import.meta.url))

/** Modules that must not be loaded at the start, but only when a command runs. */
const HEAVY =
  /node_modules\/(kysely|zod|inquirer|@inquirer|better-sqlite3|pg|fastify|pino|conf|csv-parse|csv-stringify|cli-table3|get-east-asian-width|lru-cache|undici|open|jq-wasm)\/|@oclif\/core\/lib\/index\.js|node_modules\/semver\/|\/src\/(engine|http|domain|app)/

/** The source files that a command loaded, from the coverage that V8 records. */
async function evaluated(...words: string[]): Promise<string[]> {
  return await evaluatedIn({}, words)
}

/** The source files that a command loaded, with additional variables. */
async function evaluatedIn(
  variables: Readonly<Record<string, string>>,
  words: readonly string[],
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'payctl-start-'))
  const own = { PATH: process.env['PATH'], NODE_V8_COVERAGE: folder, PAYCTL_HOME: join(folder, 'home') }
  const env = { ...own, ...variables }
  try {
    const run = promisify(execFile)(process.execPath, [COMMAND, ...words], { env })
    // `serve` is stopped as soon as it has printed its address.
    if (words[0] === 'serve') run.child.stdout?.once('data', () => run.child.kill('SIGTERM'))
    await run.catch((error: unknown) => error)
    const files = (await readdir(folder)).filter((name) => name.endsWith('.json'))
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
    return texts.flatMap((text) => urlsOf(JSON.parse(text))).filter((url) => url.startsWith('file:'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

function urlsOf({ result }: { result: { url: string }[] }): string[] {
  return result.map(({ url }) => url)
}

/** Modules of a single rail. */
const RAIL = /\/src\/gateways\/(peer|stripe|authorizenet)\/|node_modules\/stripe\//

describe('the start of payctl', () => {
  it('works from the sources, too', async () => {
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, ['--import', 'tsx', DEV, 'help', 'filters'])
    expect(stdout).to.contain('Filters')
  })

  for (const words of [
    ['transactions', 'list', '--wrong'],
    ['transactions', 'lits'],
    ['help', 'environment', '--json'],
    ['help', 'filters'],
    ['autocomplete', 'words', '--', 'payctl transactions list --where status='],
  ]) {
    it(`loads no heavy module for: ${words.join(' ')}`, async () => {
      const files = await evaluated(...words)
      expect(files.filter((url) => HEAVY.test(url))).to.deep.equal([])
      expect(files.filter((url) => url.includes('/src/cli/commands/'))).to.not.deep.equal([])
    })
  }

  for (const words of [['--help'], ['transactions', 'create', '--help']])
    it(`loads the module that measures texts, but no other heavy module, for: ${words.join(' ')}`, async () => {
      const heavy = (await evaluated(...words)).filter((url) => HEAVY.test(url))
      expect(heavy.filter((url) => !url.includes('/node_modules/get-east-asian-width/'))).to.deep.equal([])
    })

  it('loads the table module if a table is shown, but no other heavy module', async () => {
    const heavy = (await evaluated('help', 'environment')).filter((url) => HEAVY.test(url))
    const drawing = /node_modules\/(cli-table3|get-east-asian-width)\//
    expect(heavy.filter((url) => !drawing.test(url))).to.deep.equal([])
    expect(heavy.filter((url) => drawing.test(url))).to.not.deep.equal([])
  })

  it('loads the store when a command runs', async () => {
    const files = await evaluated('transactions', 'list')
    expect(files.filter((url) => url.includes('/src/engine/store/'))).to.not.deep.equal([])
    expect(files.filter((url) => RAIL.test(url))).to.deep.equal([])
  })

  it('loads the library of a rail only for requests to that rail', () =>
    inHome(async (home) => {
      const app = openApp({ home, gatewayLoopback: true })
      const { core } = await app.environment('test')
      const ok = async (method: Method, path: string, body: JsonObject) => {
        const { status } = await core.handle({ method, path, body, principal: owner })
        expect(status, path).to.equal(200)
      }
      for (const [kind, credentials] of [
        ['stripe', { secret_key: 'sk_test_1' }],
        ['authorizenet', { login_id: 'login', transaction_key: 'key' }],
      ] as const)
        await ok('POST', '/admin/gateways', { kind, name: kind, credentials, base_url: 'http://127.0.0.1:1' })
      await app.close()
      const files = (...words: string[]) =>
        evaluatedIn({ PAYCTL_HOME: home, PAYCTL_GATEWAY_LOOPBACK: '1' }, words)
      const loaded = await files('gateways', 'test', 'stripe')
      const rails = loaded.filter((url) => RAIL.test(url))
      expect(rails.filter((url) => url.includes('/stripe/'))).to.not.deep.equal([])
      expect(rails.filter((url) => !url.includes('/stripe/'))).to.deep.equal([])
      for (const topic of ['gateways', 'transactions'])
        expect((await files(topic, 'list')).filter((url) => RAIL.test(url))).to.deep.equal([])
    }))

  it('loads no rail library in serve if no rail is connected', async () => {
    const files = await evaluated('serve', '--port', '0')
    expect(files.filter((url) => url.includes('/src/http/'))).to.not.deep.equal([])
    expect(files.filter((url) => RAIL.test(url))).to.deep.equal([])
  })
})
