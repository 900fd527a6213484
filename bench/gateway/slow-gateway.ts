/**
 * A gateway that answers each request after so many milliseconds, in the wire format of a peer, and keeps nothing but a count.
 *
 * Usage: slow-gateway.ts <port> <milliseconds>
 */
import { createServer } from 'node:http'
import process from 'node:process'

const [port = '', milliseconds = ''] = process.argv.slice(2)
let count = 0

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const sent = parts.length === 0 ? {} : JSON.parse(Buffer.concat(parts).toString('utf8'))
    const id = `txn_${String(++count).padStart(22, '0')}`
    const { amount = 1, attrs = {} } = sent
    const answer = { id, object: 'transaction', type: 'payment', status: 'processed', amount, attrs }
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    }, Number(milliseconds))
  })
})
server.keepAliveTimeout = 60_000
server.listen(Number(port), '127.0.0.1')
