import { once } from 'node:events'
import { createServer, type Server as HttpServer, request } from 'node:http'
import { expect } from 'chai'
import { onSqlite, type Place } from '../../support/databases.js'
import { type Server, startServer } from '../../support/server-process.js'
import { payctl } from './payctl.js'

/** A name that does not resolve, so the server is reachable only through the proxy. */
const SERVER = 'http://pay.example.invalid'

onSqlite((open) => {
  describe('commands on a server behind a proxy', () => {
    let place: Place
    let server: Server
    let proxy: HttpServer
    let key: string
    const seen: string[] = []
    before(async () => {
      place = await open.place()
      key = (await payctl(place, ['keys', 'create', '--manage', '--jq', '.secret_key'])).stdout.trim()
      server = await startServer(place)
      // Forwards complete http: requests to the server, and refuses tunnels.
      proxy = createServer((incoming, outgoing) => {
        seen.push(String(incoming.url))
        const { pathname, search } = new URL(String(incoming.url))
        const { method, headers } = incoming
        incoming.pipe(
          request(`${server.address}${pathname}${search}`, { method, headers }, (answer) => {
            outgoing.writeHead(answer.statusCode ?? 0, answer.headers)
            answer.pipe(outgoing)
          }),
        )
      }).on('connect', ({ url }, socket) => {
        seen.push(String(url))
        socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      })
      await once(proxy.listen(0, '127.0.0.1'), 'listening')
      open.atEnd(async () => {
        proxy.close()
        await server.stop()
      })
    })
    beforeEach(() => seen.splice(0))

    const run = async (words: readonly string[], address: string, more: Readonly<Record<string, string>>) =>
      await payctl({ home: '/nowhere' }, [...words, '--server', address], {
        variables: { PAYCTL_KEY: key, PAYCTL_RETRIES: '0', ...more },
        through: [],
      })
    const proxied = () => {
      const at = proxy.address()
      return `http://127.0.0.1:${typeof at === 'object' ? at?.port : ''}`
    }

    it('use HTTP_PROXY for reads and writes, including the query', async () => {
      const made = await run(['customers', 'create', '--name', 'Ada', '--json'], SERVER, {
        HTTP_PROXY: proxied(),
      })
      expect(made.exitCode, made.stderr).to.equal(0)
      const listed = await run(
        ['customers', 'list', '--where', 'name=Ada', '--jq', '.values[].name'],
        SERVER,
        {
          http_proxy: proxied(),
        },
      )
      expect(listed.stdout).to.equal('Ada\n')
      expect(seen[0]).to.equal(`${SERVER}/customers`)
      expect(seen[1]).to.include('name=Ada')
    })

    it("open a tunnel through HTTPS_PROXY; the error about a refusal hides the proxy's password", async () => {
      const variables = { HTTPS_PROXY: proxied().replace('//', '//ada:secret@') }
      const { exitCode, stderr } = await run(['customers', 'list'], 'https://pay.example.invalid', variables)
      expect(exitCode).to.equal(9)
      expect(stderr)
        .to.include('through the proxy 127.0.0.1:')
        .and.include('HTTPS_PROXY')
        .and.not.include('secret')
      expect(seen).to.deep.equal(['pay.example.invalid:443'])
    })

    it('bypass the proxy for this machine and for hosts in NO_PROXY', async () => {
      const local = await run(['customers', 'list'], server.address, { HTTP_PROXY: proxied() })
      expect(local.exitCode, local.stderr).to.equal(0)
      const excepted = { HTTP_PROXY: proxied(), NO_PROXY: 'example.invalid' }
      expect((await run(['customers', 'list'], SERVER, excepted)).exitCode).to.equal(9)
      expect(seen).to.deep.equal([])
    })

    it('refuse a proxy that does not speak HTTP, and name its variable', async () => {
      const { exitCode, stderr } = await run(['customers', 'list'], SERVER, {
        HTTP_PROXY: 'socks5://proxy:3128',
      })
      expect(exitCode).to.equal(2)
      expect(stderr).to.include('in HTTP_PROXY')
    })
  })
})
