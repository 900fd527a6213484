import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { objectsNumbered } from './numbered.js'

/** A server that answers the first page of a list, but never the second. */
export async function slowList() {
  let onRequested: (() => void) | undefined
  const requested = new Promise<void>((resolve) => {
    onRequested = resolve
  })
  const server = createServer((request, response) => {
    const query = [...new URL(request.url ?? '/', 'http://localhost').searchParams]
    if (query.some(([name]) => name === 'after')) {
      onRequested?.()
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
    /** Resolves when the second page was requested. */
    requested,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
