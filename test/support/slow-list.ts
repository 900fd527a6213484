import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { objectsNumbered } from './numbered.js'

/** Somebody who answers the first page of a list, and never the second. */
export async function slowList() {
  let tell: (() => void) | undefined
  const asked = new Promise<void>((resolve) => {
    tell = resolve
  })
  const server = createServer((request, response) => {
    const query = [...new URL(request.url ?? '/', 'http://localhost').searchParams]
    if (query.some(([name]) => name === 'after')) {
      tell?.()
      return
    }
    const { body, headers } = objectsNumbered(2_000, query, false)
    response.writeHead(200, { 'content-type': 'application/json', 'x-api-version': '1', ...headers })
    response.end(JSON.stringify(body))
  })
  const address = await new Promise<AddressInfo>((resolve, reject) => {
    server.listen(0, '127.0.0.1', () => {
      const found = server.address()
      if (found !== null && typeof found === 'object') resolve(found)
      else reject(new Error('No address'))
    })
  })
  return {
    address: `http://127.0.0.1:${address.port}`,
    /** When the second page was asked for. */
    asked,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
