import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Databases } from '../../support/databases.js'

/** A server at the place of a peer, which records what is sent to it and does not take payments. */
export class RecordingPeer {
  readonly received: string[] = []
  address = ''
  private readonly server: Server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      const { authorization = '' } = request.headers
      this.received.push(`${request.method} ${request.url} ${authorization} ${body}`)
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"object":"list","values":[]}')
    })
  })

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

/** Opens one, which closes at the end of the tests. */
export async function openPeer(open: Databases): Promise<RecordingPeer> {
  const peer = await new RecordingPeer().listen()
  open.atEnd(async () => peer.close())
  return peer
}
