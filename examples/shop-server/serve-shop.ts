import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Orders } from './orders.js'
import type { PaymentService } from './payment-service.js'
import { StartProblem } from './start-problem.js'

/** Names of the folders with the shop's pages. */
export type ShopName = 'plain-shop' | 'react-shop'

export interface Shop {
  /** Origin of the shop, such as `http://127.0.0.1:4280`. */
  readonly origin: string
  close(): Promise<void>
}

export interface ShopOptions {
  readonly name: ShopName
  readonly service: PaymentService
  /** Port to listen on; 0 for a free one. */
  readonly port: number
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

const NOT_FOUND = answerOf(404, { problem: 'There is nothing here' })
const FAILED = answerOf(502, { problem: 'The shop cannot do that right now' })

/** Maximum length of a request's body, in characters. */
const MAX_BODY = 10_000

/** Serves the shop on this machine only. Throws a `StartProblem` if the service or the port is not available. */
export async function serveShop({ name, service, port }: ShopOptions): Promise<Shop> {
  const orders = new Orders(service, await service.account())
  const files = await filesOf(name, service.address)
  // The page needs only its script, and the frames that the script fills.
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${service.address}`,
    `frame-src ${service.address}`,
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

  const server = createServer((request, response) => {
    void answered(request, orders, files, origin)
      .catch((error: unknown) => {
        // The error of the service goes to stderr; the page only shows that there was one.
        process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
        return FAILED
      })
      .then(({ status, type, text }) => {
        response.writeHead(status, {
          'content-type': type,
          'content-security-policy': policy,
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-store',
        })
        response.end(text)
      })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((cause: unknown) => {
    throw new StartProblem(`The shop cannot listen on port ${port}: set SHOP_PORT to a free one`, { cause })
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The shop has no port')
  const origin = `http://127.0.0.1:${address.port}`
  return {
    origin,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function answered(
  request: IncomingMessage,
  orders: Orders,
  files: ReadonlyMap<string, Answer>,
  origin: string,
): Promise<Answer> {
  const [pathname = '/'] = (request.url ?? '/').split('?')
  const [first, number = '', last, ...more] = pathname.split('/').slice(1)
  if (request.method === 'GET' && first !== 'orders') return files.get(pathname) ?? NOT_FOUND
  if (first !== 'orders' || more.length > 0) return NOT_FOUND
  if (request.method === 'GET' && last === undefined) return foundOf(await orders.look(number))
  // A page of another site may send a form, but not with this origin.
  if (request.method !== 'POST' || request.headers.origin !== origin) return NOT_FOUND
  const sent = await sentIn(request)
  if (number === '') {
    const order = await orders.make(fieldOf(sent, 'item'), fieldOf(sent, 'quantity'), origin)
    return order ? answerOf(200, order) : answerOf(400, { problem: 'The shop does not sell that' })
  }
  if (last !== 'payment') return NOT_FOUND
  const problem = await orders.report(number, String(fieldOf(sent, 'transaction_id')))
  return problem === undefined ? foundOf(await orders.look(number)) : answerOf(409, { problem })
}

/** The JSON of a request; undefined if invalid or too long. */
async function sentIn(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const part of request.setEncoding('utf8')) {
    text += part
    if (text.length > MAX_BODY) return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function foundOf(value: object | undefined): Answer {
  return value ? answerOf(200, value) : NOT_FOUND
}

function answerOf(status: number, body: object): Answer {
  return { status, type: 'application/json', text: JSON.stringify(body) }
}

function fieldOf(sent: unknown, name: string): unknown {
  return typeof sent === 'object' && sent !== null ? Reflect.get(sent, name) : undefined
}

/** Files of a shop by their path. The page names the service that provides the script of the fields. */
async function filesOf(name: ShopName, service: string): Promise<ReadonlyMap<string, Answer>> {
  const read = (file: string) => readFile(new URL(`../${name}/${file}`, import.meta.url), 'utf8')
  const page = (await read('index.html')).replaceAll('{{service}}', service)
  const script = name === 'plain-shop' ? await read('shop.js') : await bundled('../react-shop/shop.tsx')
  return new Map([
    ['/', { status: 200, type: 'text/html; charset=utf-8', text: page }],
    ['/shop.js', { status: 200, type: 'text/javascript; charset=utf-8', text: script }],
    [
      '/shop.css',
      {
        status: 200,
        type: 'text/css; charset=utf-8',
        text: await readFile(new URL('./shop.css', import.meta.url), 'utf8'),
      },
    ],
  ])
}

async function bundled(file: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return outputFiles[0]?.text ?? ''
}
