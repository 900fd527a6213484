import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { openLog } from '../../../src/http/api/log.js'
import type { ServeOptions } from '../../../src/http/server.js'
import { type Clock, systemClock } from '../../../src/platform/clock.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, valuesOf } from '../../support/core.js'
import type { Databases } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { type HttpService, httpService } from '../../support/http.js'
import { closePages, openBrowser, patient } from '../chromium.js'

/** Attributes of a gateway that an operator adds. */
export interface AddedGateway {
  readonly kind: string
  readonly base_url: string
  readonly merchant?: string
  readonly credentials: JsonObject
  readonly card_entry?: boolean
}

/**
 * A shop in live whose payments go to a rail, with a browser, and a record of everything that the service
 * received.
 */
export interface RailWorld {
  readonly service: HttpService
  readonly account: string
  readonly browser: Browser
  /** Errors and warnings from the consoles of pages. */
  readonly complaints: string[]
  ask(method: string, path: string, body?: JsonObject): Promise<JsonObject>
  link(more?: JsonObject): Promise<string>
  /** Opens the page of a payment link, in a new browser context. */
  visit(link: string, options?: BrowserContextOptions): Promise<Page>
  visitIn(context: BrowserContext, link: string): Promise<Page>
  /** Records errors of a page, and its requests to the service. */
  watch(page: Page): Page
  payments(): Promise<JsonObject[]>
  /** Everything that the service received or wrote: requests, log, and files of its home. */
  heard(): Promise<string[]>
  /**
   * Database files that contain a number. On SQLite, these are files of the home; on PostgreSQL, files written
   * since the shop was opened.
   */
  filesWith(number: string): Promise<string[]>
  close(): Promise<void>
}

export async function openRailWorld(
  open: Databases,
  gateway: AddedGateway,
  clock: Clock = systemClock,
  serving: Pick<ServeOptions, 'jobs'> = {},
): Promise<RailWorld> {
  const place = await open.migrated()
  const opened = Date.now()
  const logged: string[] = []
  const requests: string[] = []
  const complaints: string[] = []
  const logger = openLog('trace', { write: (line) => logged.push(line) })
  const service = await httpService(place, { gatewayLoopback: true, clock }, { logger, ...serving })
  const key = await service.key({ manage: true }, 'live')
  const ask = async (method: string, path: string, body?: JsonObject) => {
    const answer = await service.ask(key, method, path, body)
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  await ask('POST', '/admin/gateways', { name: 'up', ...gateway })
  await ask('PUT', '/admin/gateway_routes', { default: 'up' })
  const account = idOf(await ask('POST', '/processing_accounts', processingAccount()))
  await ask('PUT', `/processing_accounts/${account}`, { processing: { status: 'active' } })
  const browser = await openBrowser()
  let links = 0

  const watch = (page: Page) => {
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('request', (request) => {
      if (request.url().startsWith(service.address))
        requests.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`)
    })
    return page
  }
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    closing ??= closePages(browser).then(() => service.stop())
    await closing
  }
  // Closed before the databases are removed, because the service still uses them when it stops.
  open.atEnd(close)

  const visitIn = async (context: BrowserContext, link: string) => {
    const page = watch(patient(await context.newPage()))
    await page.goto(`${service.address}/pay/${link}`)
    return page
  }
  return {
    service,
    account,
    browser,
    complaints,
    ask,
    // Each link has another amount, because two payments of one amount by one card within a minute count as
    // duplicates.
    link: async (more = {}) =>
      idOf(await ask('POST', '/payment_links', { amount: 42.5 + links++, processing_id: account, ...more })),
    visit: async (link, options = {}) => await visitIn(await browser.newContext(options), link),
    visitIn,
    watch,
    payments: async () => valuesOf(await ask('GET', '/transactions?type=payment&order_by=created_at')),
    async heard() {
      const files = await readdir(place.home, { recursive: true, withFileTypes: true })
      const stored = files
        .filter((file) => file.isFile())
        .map(async ({ parentPath, name }) => (await readFile(join(parentPath, name))).toString('latin1'))
      return [...requests, ...logged, ...(await Promise.all(stored))]
    },
    async filesWith(number) {
      const { databaseUrl, home } = place
      const folders = databaseUrl === undefined ? [home] : await databaseFolders(databaseUrl)
      const files = (await Promise.all(folders.map((folder) => filesIn(folder, opened - 1000)))).flat()
      const found: string[] = []
      for (const path of files) {
        const bytes = await readFile(path)
        if (spellings(number).some((spelling) => bytes.includes(spelling))) found.push(path)
      }
      return found
    },
    close,
  }
}

/** Files of a folder that were modified at or after a time in milliseconds since 1970. */
async function filesIn(folder: string, since: number): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const times = await Promise.all(paths.map(async (path) => (await stat(path)).mtimeMs))
  return paths.filter((_, index) => (times[index] ?? 0) >= since)
}

/**
 * Folders of a PostgreSQL database: its tables and its write-ahead log. A checkpoint writes the tables to disk
 * first.
 */
async function databaseFolders(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    await client.query('checkpoint')
    const { rows } = await client.query(
      `select current_setting('data_directory') as data, (select oid from pg_database where datname = current_database()) as oid`,
    )
    const [{ data, oid }] = rows
    return [join(data, 'base', String(oid)), join(data, 'pg_wal')]
  } finally {
    await client.end()
  }
}

/** Notations of a card number: groups of four digits with different separators. */
function spellings(number: string): string[] {
  return ['', ' ', '-', '+'].map((between) => (number.match(/.{4}/g) ?? []).join(between))
}

/** Whether a text contains a card number, with or without separators between its digits. */
export function hasNumber(text: string, number: string): boolean {
  return text.includes(number) || new RegExp([...number].join('[ +%20-]*')).test(text)
}
