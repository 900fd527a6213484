import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Databases } from '../../support/databases.js'

/** A server in place of a peer gateway. It records each request and approves each payment. */
export class RecordingPeer {
  readonly received: string[] = []
  address = ''
  /** Whether the server answers lists with an error. */
  isSilent = false
  private readonly server: Server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      const { authorization = '' } = request.headers
      this.received.push(`${request.method} ${request.url} ${authorization} ${body}`)
      const isList = request.method === 'GET'
      response.writeHead(isList && this.isSilent ? 500 : 200, { 'content-type': 'application/json' })
      const [, method] = /^\/payment_methods\/(\w+)$/.exec(request.url ?? '') ?? []
      const listed = method === undefined ? { object: 'list', values: [] } : { id: method, type: 'card' }
      response.end(isList ? JSON.stringify(listed) : approved(body, this.received.length))
    })
  })

  /** Received requests that move money, as `METHOD path authorization body`. */
  get payments(): readonly string[] {
    return this.received.filter((request) => request.startsWith('POST /transactions'))
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve))
    const { port } = this.server.address() as AddressInfo
    this.address = `http://127.0.0.1:${port}`
    return this
  }

  close(): void {
    this.server.closeAllConnections()
    this.server.close()
  }
}

function approved(sent: string, count: number): string {
  const id = `txn_${String(count).padStart(22, '0')}`
  return JSON.stringify({ ...JSON.parse(sent), object: 'transaction', id, status: 'processed' })
}

/** Starts a recording peer, which is stopped at the end of the tests. */
export async function openPeer(open: Databases): Promise<RecordingPeer> {
  const peer = await new RecordingPeer().listen()
  open.atEnd(async () => peer.close())
  return peer
}
