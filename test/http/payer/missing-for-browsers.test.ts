import { expect } from 'chai'
import { onDatabases } from '../../support/databases.js'
import { type HttpService, httpService } from '../../support/http.js'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

onDatabases((open) => {
  describe('an unknown address', () => {
    let service: HttpService
    before(async () => {
      service = await httpService(await open.migrated())
      open.atEnd(() => service.stop())
    })
    const get = async (path: string, headers: Record<string, string> = { accept: BROWSER }, method = 'GET') =>
      await fetch(service.address + path, { method, headers, redirect: 'manual' })

    it('is a page for a browser, without an authentication challenge', async () => {
      for (const path of [
        '/pays/plink_1',
        '/admin',
        '/wp-login.php',
        '/transactions/txn_1/nothing',
        '/a%20b/c?d=e',
      ]) {
        const answer = await get(path)
        expect([answer.status, answer.headers.get('www-authenticate')], path).to.deep.equal([404, null])
        expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8')
        expect(await answer.text()).to.include('<h1>Nothing here</h1>')
      }
      const head = await get('/nothing', { accept: BROWSER }, 'HEAD')
      expect([head.status, head.headers.get('www-authenticate'), await head.text()]).to.deep.equal([
        404,
        null,
        '',
      ])
    })

    it('is refused if it is malformed', async () => {
      for (const path of ['/%E0%A4%A', '/nothing/%', '/pay/%ff'])
        expect((await get(path)).status, path).to.equal(400)
    })

    it('is answered with an authentication challenge to a program, and so is a resource to a browser', async () => {
      for (const [path, accept] of [
        ['/nothing', '*/*'],
        ['/nothing', 'application/json'],
        ['/transactions', BROWSER],
        ['/transactions/txn_1/ledger', BROWSER],
        ['/admin/clock', BROWSER],
        ['/admin/keys/', BROWSER],
      ] as const) {
        const answer = await get(path, { accept })
        expect([answer.status, answer.headers.has('www-authenticate')], path).to.deep.equal([401, true])
        expect(await answer.json()).to.include({ object: 'error' })
      }
      expect((await get('/nothing', { accept: BROWSER }, 'POST')).status).to.equal(401)
    })

    it('is an error object for a program with a key', async () => {
      const { status, body } = await service.ask(await service.key(), 'GET', '/nothing')
      expect([status, body.error_type]).to.deep.equal([404, 'NotFound'])
    })
  })
})
