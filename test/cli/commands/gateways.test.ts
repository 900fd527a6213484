import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import {
  NOTIFICATION_SECRET,
  openStripeServer,
  PUBLISHABLE_KEY,
  SECRET_KEY,
  type StripeServer,
} from '../../gateways/stripe/stripe-server.js'
import { onSqlite, type Place } from '../../support/databases.js'
import { payctl } from './payctl.js'

describe('payctl gateways at a processor', () => {
  onSqlite((open) => {
    let place: Place
    let server: StripeServer
    before(async () => {
      place = await open.migrated()
      server = await openStripeServer(() => Date.now())
      open.atEnd(() => server.close())
      await writeFile(join(place.home, 'key.txt'), SECRET_KEY)
      await writeFile(join(place.home, 'secret.txt'), NOTIFICATION_SECRET)
    })

    const run = async (loopback: '1' | '0', ...words: string[]) =>
      await payctl(place, ['gateways', ...words], { variables: { PAYCTL_GATEWAY_LOOPBACK: loopback } })
    const add = async (name: string, ...more: string[]) =>
      await run(
        '1',
        'add',
        'stripe',
        '--name',
        name,
        '--base-url',
        server.address,
        '--secret-key-file',
        join(place.home, 'key.txt'),
        ...more,
      )

    it('add shows which features will work, and stores the secret of a new endpoint', async () => {
      const { exitCode, stdout, stderr } = await add('cards')
      expect(exitCode, stderr).to.equal(0)
      for (const line of [
        'cards notifies this installation, and the secret of its notifications is kept.',
        '✓ account: acct_1 in US',
        '✓ bank accounts: It takes ACH Direct Debit',
      ])
        expect(stderr).to.include(line)
      expect(server.endpoints.list).to.have.lengthOf(1)
      expect(stdout + stderr).to.not.include('whsec_')
    })

    it('add keeps an existing endpoint if its secret is given, and creates none with --no-endpoint', async () => {
      const before = server.endpoints.list.length
      await add('given', '--notification-secret-file', join(place.home, 'secret.txt'))
      await add('none', '--no-endpoint')
      expect(server.endpoints.list).to.have.lengthOf(before)
    })

    it('add refuses a publishable key of the other mode, and a secret key in its place', async () => {
      const given = async (secret: string, publishable: string, ...more: string[]) => {
        await writeFile(join(place.home, 'live.txt'), secret)
        const key = ['--secret-key-file', join(place.home, 'live.txt'), '--publishable-key', publishable]
        return await run('1', 'add', 'stripe', '--name', 'wrong', '--no-endpoint', ...key, ...more)
      }
      const live = ['--env', 'live', '--confirm', 'live']
      const ofTest = await given('sk_live_51x', 'pk_test_51x', ...live)
      expect(ofTest.exitCode).to.not.equal(0)
      expect(ofTest.stderr).to.include('Is of test mode, and this is live')
      const secret = await given('sk_live_51x', 'sk_live_51x', ...live)
      expect(secret.stderr).to.include('Must begin with pk_live_')
      const onLoopback = await given(SECRET_KEY, SECRET_KEY, '--base-url', server.address)
      expect(onLoopback.stderr).to.include('Must begin with pk_test_')
      const { stdout } = await run('1', 'list', '--env', 'live', '--json')
      expect(stdout).to.not.include('wrong')
    })

    it('doctor names gateways for which card numbers are typed into pages, and add explains the consequences', async () => {
      const { stderr } = await add('typed', '--card-entry', '--no-endpoint')
      expect(stderr).to.include('that is SAQ D')
      await add('fields', '--publishable-key', PUBLISHABLE_KEY, '--no-endpoint')
      const { stdout } = await payctl(place, ['doctor'], { variables: { PAYCTL_GATEWAY_LOOPBACK: '1' } })
      const lines = stdout.split('\n').filter((line) => line.includes('SAQ D'))
      expect(lines).to.have.length(1)
      expect(lines[0]).to.include('gateways typed').and.include('card numbers are typed into pages of payctl')
    })

    it('update --endpoint creates the endpoint later, and replaces it each time', async () => {
      for (let times = 0; times < 2; times++) {
        const { exitCode, stderr } = await run('1', 'update', 'none', '--endpoint')
        expect(exitCode, stderr).to.equal(0)
      }
      const own = server.endpoints.list.filter(({ url }) => url.includes('/gateways/'))
      expect(own).to.have.lengthOf(2)
    })

    it('test prints a mark per check, or a JSON list, and exits with 8 if a check fails', async () => {
      const good = await run('1', 'test', 'cards')
      expect([good.exitCode, good.stderr]).to.deep.equal([0, 'cards works.\n'])
      expect(good.stdout).to.match(/^✓ +account +acct_1 in US$/m)
      const [endpoint] = server.endpoints.list
      if (!endpoint) throw new Error('There is no endpoint')
      endpoint.status = 'disabled'
      const bad = await run('1', 'test', 'cards', '--json')
      expect(bad.exitCode).to.equal(8)
      const { checks }: JsonObject = JSON.parse(bad.stdout)
      expect(checks).to.deep.include({
        name: 'endpoint',
        state: 'failed',
        found: 'The endpoint we_1 is disabled: payctl gateways update cards --endpoint makes another',
      })
      expect((await run('1', 'test', 'cards')).stderr).to.equal('Failed: endpoint\n')
    })

    it('remove deletes the endpoint too, or names an endpoint that the gateway keeps', async () => {
      expect((await run('1', 'remove', 'none')).exitCode).to.equal(0)
      expect(server.endpoints.list).to.have.lengthOf(1)
      server.trouble('GET /v1/webhook_endpoints', 'error_before')
      const { exitCode, stdout, stderr } = await run('1', 'remove', 'cards')
      expect(exitCode, stderr).to.equal(0)
      expect(stderr).to.match(/^Warning: Its endpoint for http\S+ could not be removed: /)
      expect(stdout).to.match(/^status +removed$/m)
    })
  })
})
