/**
 * The reference: it does the minimum of a server whose payments go to a gateway. It parses the body, sends a request to
 * the gateway over persistent connections, and returns the answer. It stores no data.
 *
 * Usage: bare-proxy.ts <port> <port of the gateway>
 */
import { createServer } from 'node:http'
import process from 'node:process'
import { Agent } from 'undici'

const [port = '', to = ''] = process.argv.slice(2)
const agent = new Agent({ connections: 2_000 })

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', async () => {
    const body = JSON.stringify(JSON.parse(Buffer.concat(parts).toString('utf8')))
    const answer = await agent.request({
      origin: `http://127.0.0.1:${to}`,
      path: '/transactions',
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    const text = await answer.body.text()
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
    response.writeHead(answer.statusCode, headers).end(text)
  })
})
server.listen(Number(port), '127.0.0.1')
