import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { consenting } from '../../support/consent.js'
import { objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { type Server, startServer } from '../../support/server-process.js'
import { payctl, start } from './payctl.js'

const PASSWORD = 'correct horse battery'

onDatabases((open) => {
  describe('payctl oauth', () => {
    let place: Place
    let server: Server
    let org: string
    const run = async (words: readonly string[], input?: string) => {
      const { exitCode, stdout, stderr } = await payctl(
        place,
        [...words, '--json'],
        input === undefined ? {} : { input },
      )
      if (exitCode !== 0) throw new Error(stderr)
      return objectOf(JSON.parse(stdout))
    }
    before(async () => {
      place = await open.place()
      const made = await run([
        'orgs',
        'create',
        '--name',
        'Ledgerly',
        '--industry',
        'books',
        '--org-type',
        'business',
      ])
      org = String(made.id)
      server = await startServer(place)
    })
    after(async () => {
      await server.stop()
    })

    it('manages users without showing their passwords', async () => {
      const email = ['--org-id', org, '--email', 'Grace@Example.com']
      const user = await run(['oauth', 'users', 'add', ...email, '--password', '-'], `${PASSWORD}\n`)
      expect(user).to.include({ object: 'oauth_user', email: 'grace@example.com' })
      expect(user).to.not.have.any.keys('password', 'password_hash', 'failures')
      const twice = await payctl(place, ['oauth', 'users', 'add', ...email, '--password', '-'], {
        input: PASSWORD,
      })
      expect(twice).to.include({ exitCode: 3, stderr: 'error: --email: There is a user with it already\n' })
      const words = ['oauth', 'users', 'password', String(user.id), '--password', '-']
      const short = await payctl(place, words, { input: 'short' })
      expect(short).to.include({
        exitCode: 3,
        stderr: 'error: --password: Must have at least 10 characters\n',
      })
      await run(words, PASSWORD)
    })

    it('registers redirect addresses as browsers write them', async () => {
      const add = async (uri: string, kind = 'redirect') =>
        await payctl(place, ['oauth', 'redirects', 'add', '--org-id', org, '--uri', uri, '--kind', kind])
      for (const [uri, kind] of [
        ['http://app.example.com/done'],
        ['https://app.example.com/done#here'],
        ['https://me@app.example.com/done'],
        ['https://APP.example.com/done'],
        ['https://app.example.com'],
        ['https://app.example.com/', 'origin'],
        ['javascript:alert(1)'],
        ['done'],
      ])
        expect(await add(uri ?? '', kind), uri).to.include({ exitCode: 3 })
      expect(await add('http://127.0.0.1/callback')).to.include({ exitCode: 0 })
      expect(await add('http://127.0.0.1/callback')).to.include({ exitCode: 3 })
    })

    it('connects: a loopback address receives the code, and the terminal shows the tokens', async () => {
      const variables = { PAYCTL_PUBLIC_URL: server.address }
      const words = ['oauth', 'connect', '--org', org, '--scope', 'org', '--no-browser', '--json']
      const child = start(place, words, { variables })
      if (!child.stderr || !child.stdout) throw new Error('The command has no output')
      const told = text(child.stdout)
      const [line] = await once(createInterface(child.stderr), 'line')
      const address = String(line).replace(/^[^:]*: /, '')
      const handed = await consenting(address, { email: 'grace@example.com', password: PASSWORD })
      expect(handed.origin + handed.pathname).to.match(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
      await (await fetch(handed)).text()
      const tokens = objectOf(JSON.parse(await told))
      expect(tokens).to.include({ token_type: 'bearer', scope: 'org' })

      const input = String(tokens.refresh_token)
      const refreshed = await payctl(place, ['oauth', 'token', '--refresh-token', '-', '--json'], {
        input,
        variables,
      })
      expect(refreshed.exitCode).to.equal(0)
      const again = await payctl(place, ['oauth', 'token', '--refresh-token', '-'], { input, variables })
      expect(again.exitCode).to.equal(0)
      const grants = await run(['oauth', 'grants', 'list'])
      expect(JSON.stringify(grants)).to.include('"status":"active"')
      // The temporary key of the exchange was deleted afterwards.
      const keys = await run(['keys', 'list', '--where', 'status=active'])
      expect(keys.values).to.deep.equal([])
    })

    it('revokes a grant', async () => {
      const { values } = await run(['oauth', 'grants', 'list'])
      const [grant] = JSON.parse(JSON.stringify(values))
      expect(await run(['oauth', 'revoke', grant.id])).to.include({ status: 'revoked' })
    })
  })
})
