import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { put } from '../../../src/cli/terminal/input/body.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'

interface Flag {
  readonly summary?: string
  readonly options?: readonly string[]
  readonly helpValue?: string
  readonly type: string
}
interface Manifest {
  readonly commands: Readonly<
    Record<
      string,
      { readonly args: Readonly<Record<string, Flag>>; readonly flags: Readonly<Record<string, Flag>> }
    >
  >
}

const MANIFEST: Manifest = JSON.parse(
  readFileSync(new URL('../../../oclif.manifest.json', import.meta.url), 'utf8'),
)
const ALL = fileURLToPath(new URL('./all-in-one.cjs', import.meta.url))

/** Commands that run until they are stopped; they never ask for confirmation. */
const ENDLESS = ['serve', 'watch', 'webhooks:listen']

/** Required arguments of hand-written commands. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  api: ['POST', '/transactions'],
  'transactions:pay': ['--amount', '5', '--customer', 'acct_1'],
  'transactions:review': ['--allow'],
  'gateways:route': ['--default', 'up'],
}

/** A service that accepts every request, and records it. */
class Willing {
  readonly moved: string[] = []
  readonly asked: string[] = []
  private readonly server: Server = createServer(async (request, response) => {
    const { method, url = '' } = request
    const body = await text(request)
    this.asked.push(`${method} ${url}`)
    if (
      method === 'DELETE' ||
      (method !== 'GET' && (MONEY.test(url) || /"(payment|transactions?)":/.test(body)))
    )
      this.moved.push(`${method} ${url}`)
    response
      .writeHead(200, { 'x-api-version': 'v1' })
      .end('{"object":"anything","id":"any_1","amount":5,"amount_due":5,"finished":true}')
  })

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    const { port }: Pick<AddressInfo, 'port'> = Object.assign({ port: 0 }, this.server.address())
    return `http://127.0.0.1:${port}`
  }

  close(): void {
    this.server.close()
  }
}

const MONEY = /rotate$|^\/(transactions|admin\/(funding|billing|batches|vault))\b|\/(pay|collect)$/

describe('commands in live', () => {
  let folder: string
  let service: Willing
  let address: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'payctl-live-'))
    service = new Willing()
    address = await service.listen()
  })
  after(() => {
    service.close()
    rmSync(folder, { recursive: true })
  })

  const runAll = async (commands: readonly (readonly string[])[], more: readonly string[]) => {
    const env = {
      PATH: process.env['PATH'],
      PAYCTL_HOME: join(folder, 'home'),
      PAYCTL_SERVER: address,
      PAYCTL_KEY: `secret_key_${'a'.repeat(43)}`,
      PAYCTL_RETRIES: '0',
    }
    const child = spawn(process.execPath, [ALL], { env, stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.end(JSON.stringify(commands.map((words) => [...words, ...more])))
    const outcomes: { exitCode: number; stderr: string }[] = JSON.parse(await text(child.stdout))
    return outcomes
  }

  it('move no money and delete no object without --confirm live', async () => {
    const ids = Object.keys(MANIFEST.commands).filter((id) => !ENDLESS.includes(id) && !id.startsWith('help'))
    const writing = ids.filter((id) => 'confirm' in (MANIFEST.commands[id]?.flags ?? {}))
    const rest = ids.filter((id) => !writing.includes(id))
    const words = (id: string) => wordsOf(id, folder)

    const outcomes = await runAll([...writing.map(words), ...rest.map(words)], ['--no-input'])
    expect(service.moved).to.deep.equal([])
    await runAll(writing.map(words), ['--no-input', '--yes'])
    expect(service.moved).to.deep.equal([])

    const refused = writing.filter((_, index) =>
      outcomes[index]?.stderr.includes('in the live environment: add --confirm live'),
    )
    expect(outcomes.length).to.equal(ids.length)
    await runAll(writing.filter((id) => !refused.includes(id)).map(words), [
      '--no-input',
      '--confirm',
      'live',
    ])
    expect(service.moved, 'whatever was not refused moves nothing').to.deep.equal([])
    await runAll(refused.map(words), ['--no-input', '--confirm', 'live'])
    expect(service.moved.length, 'whatever was refused moves money').to.be.at.least(refused.length)
    expect(refused).to.include.members([
      'api',
      'billing:run',
      'billing:backfill',
      'funding:run',
      'invoices:pay',
      'transactions:capture',
      'transactions:create',
      'transactions:pay',
      'transactions:refund',
      'transactions:review',
      'transactions:update',
      'transactions:void',
      'customers:delete',
      'keys:revoke',
      'oauth:revoke',
      'keys:rotate',
      'webhooks:delete',
      'vault:purge',
    ])
    expect(refused, 'the name of the command confirms it').not.to.include.oneOf([
      'gateways:route',
      'disputes:add',
      'processing-accounts:set-default',
    ])
  })
})

/** The words of a command with all required arguments. */
function wordsOf(id: string, folder: string): string[] {
  const { args = {}, flags = {} } = MANIFEST.commands[id] ?? {}
  const own = WORDS[id]
  const words = id.split(':')
  if (id === 'api' && own) return [...words, ...own]
  words.push(...Object.keys(args).map(() => 'any_1'), ...(own ?? []))
  const required = Object.entries(flags).filter(([, { summary }]) => summary?.startsWith('(required)'))
  if (own) return words
  if (!('data' in flags))
    return [...words, ...required.flatMap(([name, flag]) => [`--${name}`, String(sample(flag))])]
  const body: JsonObject = id.endsWith(':update') ? { description: 'any' } : {}
  for (const [name, flag] of required) put(body, name.replaceAll('-', '_').split('.'), sample(flag))
  const path = join(folder, `${id.replace(':', '-')}.json`)
  writeFileSync(path, JSON.stringify(body))
  return [...words, '--data', path]
}

function sample({ options, helpValue, type }: Flag): Json {
  if (options) return options[0] ?? ''
  if (type === 'boolean') return true
  switch (helpValue) {
    case '<amount>':
    case '<number>':
      return 5
    case '<date>':
      return '2030-01-01'
    case '<json>':
      return {}
    case '<file>':
      return fileURLToPath(import.meta.url)
    default:
      return 'any'
  }
}
