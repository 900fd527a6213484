/**
 * Program that sends the load. Each connection sends its next request after the previous answer; with a rate, at its
 * next turn. The load ends after a time or a number of requests. It writes HTTP/1.1 to plain sockets, so that the
 * client needs little CPU.
 *
 * Usage: load.ts <JSON of LoadOptions>; prints the JSON of a LoadResult.
 */
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import type { LoadOptions, LoadResult } from './client.js'
import { Responses } from './responses.js'

const options: LoadOptions = JSON.parse(process.argv[2] ?? '{}')
const { port, connections, milliseconds, requests = Number.POSITIVE_INFINITY, method, paths } = options
const { body = '', isUnkeyed = false, rate, headers } = options
/** Milliseconds between two requests of a connection; 0 without a rate. */
const interval = rate === undefined ? 0 : (connections / rate) * 1_000
const head = Object.entries(headers)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')
const size = Buffer.byteLength(body)

const times: number[] = []
let failed = 0
let sent = 0
const started = performance.now()
const end = started + milliseconds

await Promise.all(Array.from({ length: connections }, (_, number) => converse(number)))
const seconds = (performance.now() - started) / 1000
times.sort((a, b) => a - b)
const result: LoadResult = {
  answered: times.length,
  failed,
  perSecond: times.length / seconds,
  p99: times[Math.floor(times.length * 0.99)] ?? 0,
  slowest: times.at(-1) ?? 0,
}
process.stdout.write(JSON.stringify(result))

/**
 * Runs one connection from its first request to the end. The first turns of the connections are spread over the
 * interval.
 */
function converse(number: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let begun = 0
    let turn = started + (interval * number) / connections
    let isOver = false
    const ask = () => {
      begun = performance.now()
      isOver = begun >= end || sent >= requests
      if (isOver) socket.end()
      else socket.write(request())
    }
    const askInTurn = () => {
      const now = performance.now()
      if (interval === 0) return ask()
      while (turn < now) turn += interval
      setTimeout(ask, turn - now)
    }
    const responses = new Responses((status) => {
      if (status === 200) times.push(performance.now() - begun)
      else failed++
      askInTurn()
    })
    socket.setNoDelay(true)
    socket.on('connect', askInTurn)
    socket.on('data', (chunk) => responses.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      if (!isOver) failed++
      resolve()
    })
  })
}

function request(): string {
  const path = paths[sent++ % paths.length]
  const idempotency = method === 'POST' && !isUnkeyed ? `idempotency-key: ${randomUUID()}\r\n` : ''
  const entity = body ? `content-type: application/json\r\ncontent-length: ${size}\r\n` : ''
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${head}${idempotency}${entity}\r\n${body}`
}
