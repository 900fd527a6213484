/**
 * A gateway that answers each request after a fixed time, in the wire format of a peer. It stores only counts. `GET
 * /most` returns the maximum of concurrent requests, and resets it.
 *
 * Usage: slow-gateway.ts <port> <milliseconds>
 */
import { createServer } from 'node:http'
import process from 'node:process'

const [port = '', milliseconds = ''] = process.argv.slice(2)
let count = 0
let underWay = 0
let most = 0

const server = createServer((request, response) => {
  if (request.url === '/most') {
    response.writeHead(200).end(String(most))
    most = underWay
    return
  }
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    most = Math.max(most, ++underWay)
    const sent = parts.length === 0 ? {} : JSON.parse(Buffer.concat(parts).toString('utf8'))
    const id = `txn_${String(++count).padStart(22, '0')}`
    const { amount = 1, attrs = {} } = sent
    const answer = { id, object: 'transaction', type: 'payment', status: 'processed', amount, attrs }
    setTimeout(() => {
      underWay--
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    }, Number(milliseconds))
  })
})
server.keepAliveTimeout = 60_000
server.listen(Number(port), '127.0.0.1')
