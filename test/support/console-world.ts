import { Secret, TOTP } from 'otpauth'
import { owner } from '../../src/engine/core/request/principal.js'
import type { Environment } from '../../src/engine/store/database/store.js'
import type { Limits } from '../../src/http/api/http-limits.js'
import type { Logger } from '../../src/http/api/log.js'
import type { JsonObject } from '../../src/schema/json.js'
import { type BrowserPage, ConsoleBrowser } from './console-browser.js'
import { idOf } from './core.js'
import type { Databases, Place } from './databases.js'
import { type HttpService, httpService } from './http.js'

export const PASSWORD = 'correct horse battery'
export const EMAIL = 'ada@example.com'

/** A service with a console, and with the owner Ada in both environments. */
export interface ConsoleWorld {
  readonly place: Place
  readonly service: HttpService
  readonly clock: { ahead: number; now(): number }
  /** Ada's operator ids. */
  readonly ada: Readonly<Record<Environment, string>>
  browser(from?: string): ConsoleBrowser
  ask(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: JsonObject,
    environment?: Environment,
  ): Promise<JsonObject>
  /** Creates an entry code; returns the path that it opens. */
  entry(environment?: Environment, email?: string): Promise<string>
  /** Opens a browser that is signed in by an entry code. */
  entered(environment?: Environment): Promise<ConsoleBrowser>
  /** One-time code for the key of a second factor, the given number of steps from now. */
  code(key: string, steps?: number): string
  /** Enters by an entry code, and sets a password and a second factor; returns the key of the second factor. */
  setUp(browser: ConsoleBrowser, environment?: Environment): Promise<string>
}

interface ConsoleWorldOptions {
  readonly behindTls?: boolean
  readonly limits?: Partial<Limits>
  /** Logger; silent by default. */
  readonly logger?: Logger
}

/** Opens the service. With `behindTls`, it trusts client addresses named by proxies of this machine. */
export async function consoleWorld(
  open: Databases,
  { behindTls = false, limits = {}, logger }: ConsoleWorldOptions = {},
): Promise<ConsoleWorld> {
  const clock = { ahead: 0, now: () => Date.UTC(2027, 0, 1) + clock.ahead }
  const options = behindTls ? { behindTls, trustProxy: 'loopback' } : {}
  const place = await open.migrated()
  const logging = logger && { logger }
  const service = await httpService(place, { clock }, { console: true, limits, ...options, ...logging })
  open.atEnd(() => service.stop())
  const ask: ConsoleWorld['ask'] = async (method, path, body, environment = 'test') => {
    const { core } = await service.app.environment(environment)
    const answer = await core.handle({ method, path, ...(body && { body }), principal: owner })
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const add = async (environment: Environment) =>
    idOf(
      await ask('POST', '/admin/operators', { name: 'Ada Park', email: EMAIL, role: 'owner' }, environment),
    )
  const world: ConsoleWorld = {
    place,
    service,
    clock,
    ada: { test: await add('test'), live: await add('live') },
    browser: (from) => new ConsoleBrowser(service.address, from),
    ask,
    async entry(environment = 'test', email = EMAIL) {
      const { code } = await ask('POST', '/admin/console_entries', { email }, environment)
      return `/console/enter/${code}`
    },
    async entered(environment) {
      const browser = world.browser()
      expectRedirect(await browser.submit(await browser.get(await world.entry(environment))))
      return browser
    },
    code: (key, steps = 0) =>
      new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: clock.now() + steps * 30_000 }),
    async setUp(browser, environment = 'test') {
      expectRedirect(await browser.submit(await browser.get(await world.entry(environment))))
      const page = await browser.get(`/console/${environment}/set-up`)
      const key = keyIn(page)
      expectRedirect(await browser.submit(page, { password: PASSWORD, code: world.code(key) }))
      return key
    },
  }
  return world
}

/** The key for one-time codes that a page shows. */
export function keyIn({ text }: BrowserPage): string {
  const [, key = ''] = /<code>((?:[A-Z2-7]{4} )+[A-Z2-7]+)<\/code>/.exec(text) ?? []
  return key.replaceAll(' ', '')
}

function expectRedirect({ status, path, text }: BrowserPage): void {
  if (status !== 303) throw new Error(`${path}: ${status} ${text}`)
}
