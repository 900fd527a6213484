import { chmodSync, chownSync, readdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect } from 'chai'
import { objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { withoutPowers } from '../../support/ordinary-user.js'
import { payctl } from './payctl.js'

const ADA = ['--name', 'Ada Park', '--email', 'Ada@Example.com', '--role', 'cashier']
const { username, uid } = userInfo()

onDatabases((open) => {
  const json = async (place: Place, ...words: string[]) => {
    const { stdout, stderr, exitCode } = await payctl(place, [...words, '--json'])
    expect(exitCode, stdout + stderr).to.equal(0)
    return objectOf(JSON.parse(stdout))
  }

  describe('payctl operators', () => {
    let place: Place
    before(async () => {
      place = await open.migrated()
    })

    it('adds an operator, and finds operators by e-mail address in any case', async () => {
      const added = await json(
        place,
        'operators',
        'add',
        ...ADA,
        '--limit-each',
        '200',
        '--limit-day',
        '1,000',
      )
      expect(added).to.include({
        object: 'operator',
        email: 'ada@example.com',
        role: 'cashier',
        limit_each: 200,
        limit_day: 1000,
        status: 'active',
      })
      for (const name of ['ada@example.com', 'ADA@example.com', String(added.id)])
        expect(await json(place, 'operators', 'show', name)).to.include({ id: added.id ?? '' })
      const listed = await payctl(place, ['operators', 'list', '--columns', 'email,role,status'])
      expect(listed.stdout.replaceAll(/ +/g, ' ')).to.contain('ada@example.com cashier active')
    })

    it('updates, disables and enables an operator', async () => {
      const updated = await json(place, 'operators', 'update', 'ada@example.com', '--role', 'manager')
      expect(updated).to.include({ role: 'manager', limit_each: 200 })
      expect(await json(place, 'operators', 'disable', 'ada@example.com')).to.include({ status: 'disabled' })
      expect(await json(place, 'operators', 'enable', 'ada@example.com')).to.include({ status: 'active' })
    })

    it('narrows an operator to processing accounts, and removes the narrowing', async () => {
      const shop = await json(
        place,
        'processing-accounts',
        'create',
        '--name',
        'Shop',
        '--processing.industry',
        'food',
      )
      const narrow = ['operators', 'update', 'ada@example.com', '--processing']
      expect(await json(place, ...narrow, String(shop.id))).to.deep.include({ processing_ids: [shop.id] })
      expect(await json(place, ...narrow, '')).to.include({ processing_ids: null })
    })

    it('names missing flags and an unknown operator', async () => {
      const nameless = await payctl(place, ['operators', 'add', '--name', 'Ben'])
      expect(nameless).to.deep.include({ exitCode: 2, stdout: '' })
      expect(nameless.stderr).to.contain('--email').and.contain('--role')
      expect(await payctl(place, ['operators', 'disable', 'eve@example.com'])).to.include({ exitCode: 5 })
    })

    it('creates a token that acts as an operator, and shows how to use it', async () => {
      const made = await payctl(place, [
        'operators',
        'token',
        'ada@example.com',
        '--expires-at',
        '2040-01-01',
      ])
      expect(made.exitCode, made.stderr).to.equal(0)
      expect(made.stdout).to.match(/test_secret_key_\w+/)
      expect(made.stderr).to.contain('payctl profiles add work --server')
      const { id } = await json(place, 'operators', 'show', 'ada@example.com')
      const keys = await payctl(place, ['keys', 'list', '--where', `operator_id=${id}`, '--count'])
      expect(keys.stdout).to.equal('1\n')
    })

    it('refuses an unknown login of this machine', async () => {
      const words = ['operators', 'update', 'ada@example.com', '--login', 'no-such-login']
      const { exitCode, stderr } = await payctl(place, words)
      expect({ exitCode, stderr }).to.deep.equal({
        exitCode: 2,
        stderr:
          'error: There is no login no-such-login on this machine: correct --login, or leave it out and let them in by payctl console --as EMAIL\n',
      })
    })

    it('refuses to map a login of this machine for a database on another machine', async () => {
      const variables = { PAYCTL_SERVER: 'http://127.0.0.1:1', PAYCTL_KEY: 'test_secret_key_x' }
      const words = ['operators', 'add', ...ADA, '--login', username]
      const { exitCode, stderr } = await payctl(place, words, { variables })
      expect(exitCode).to.equal(2)
      expect(stderr).to.contain('http://127.0.0.1:1')
      expect(stderr).to.contain(`type there: payctl operators add --login ${username}\n`)
    })
  })

  describe('a login at the terminal', () => {
    const addOwner = async (place: Place) => {
      const input = JSON.stringify({
        name: 'Grace',
        email: 'g@example.com',
        role: 'owner',
        login: 'g',
        uid: 4242,
      })
      const { exitCode, stderr } = await payctl(place, ['operators', 'add', '--data', '-'], { input })
      expect(exitCode, stderr).to.equal(0)
    }

    it('cannot be mapped below owner if no owner would remain', async () => {
      const place = await open.migrated()
      const { exitCode, stderr } = await payctl(place, ['operators', 'add', ...ADA, '--login', username])
      expect(exitCode).to.equal(2)
      expect(stderr).to.contain('no owner with a login would remain')
    })

    it('is mapped by its name alone to an operator who is a full owner', async () => {
      const place = await open.migrated()
      await json(place, 'operators', 'add', '--name', 'Ada', '--email', 'ada@example.com', '--role', 'owner')
      const mapping = ['operators', 'update', 'ada@example.com', '--login', username]
      const shop = await json(
        place,
        'processing-accounts',
        'create',
        '--name',
        'Shop',
        '--processing.industry',
        'food',
      )
      const narrowed = await payctl(place, [...mapping, '--processing', String(shop.id)])
      expect(narrowed.exitCode, narrowed.stdout).to.equal(2)
      expect(await json(place, ...mapping)).to.include({ login: username, uid, role: 'owner' })
    })

    it('is the owner in its own home, and otherwise the operator it is mapped to', async () => {
      const place = await open.migrated()
      expect(await json(place, 'whoami')).to.deep.include({
        operator: { value: 'owner', from: `home of login ${username} (${uid})` },
      })
      await addOwner(place)
      const ada = await json(place, 'operators', 'add', ...ADA, '--login', username, '--limit-each', '200')
      expect(ada).to.include({ login: username, uid })
      const from = `operator ${ada.id}`
      expect(await json(place, 'whoami')).to.deep.include({
        operator: { value: 'ada@example.com', from: `login ${username} (${uid})` },
        role: { value: 'cashier', from },
        limit_each: { value: '200.00', from },
      })
    })

    it('has the role of its operator, whatever $USER says', async () => {
      const place = await open.migrated()
      await addOwner(place)
      await json(place, 'operators', 'add', ...ADA, '--login', username)
      const refused = await payctl(place, ['keys', 'create'], {
        variables: { USER: 'grace', LOGNAME: 'grace' },
      })
      expect(refused.exitCode, refused.stdout).to.equal(4)
      expect(await payctl(place, ['customers', 'list'])).to.include({ exitCode: 0 })
    })

    it('is refused if mapping is required and it is not mapped', async () => {
      const place = await open.migrated()
      const early = await payctl(place, ['operators', 'require-mapping'])
      expect(early.exitCode, early.stdout).to.equal(6)
      const owner = ['--role', 'owner', '--login', username]
      const ada = ['--name', 'Ada', '--email', 'ada@example.com']
      await json(place, 'operators', 'add', ...ada, ...owner)
      expect(await json(place, 'operators', 'require-mapping')).to.include({ require_mapping: true })
      expect(await json(place, 'operators', 'list')).to.have.property('object', 'list')
      expect(await json(place, 'operators', 'require-mapping', '--off')).to.include({
        require_mapping: false,
      })
    })

    const words = withoutPowers()
    if (words && process.getuid?.() === 0) {
      it('is named by its number if the system has no entry for it', async () => {
        const place = await open.migrated()
        for (const path of ['', ...readdirSync(place.home)]) chownSync(join(place.home, path), 54_321, 54_321)
        const variables = { HOME: place.home }
        const through = ['setpriv', '--reuid', '54321', '--regid', '54321', '--clear-groups']
        const { exitCode, stdout, stderr } = await payctl(place, ['whoami', '--json'], { through, variables })
        expect(exitCode, stderr).to.equal(0)
        expect(JSON.parse(stdout).operator).to.deep.equal({
          value: 'owner',
          from: 'home of login 54321 (54321)',
        })
      })

      it('is refused in the home of another user', async () => {
        const place = await open.migrated()
        for (const name of readdirSync(place.home)) chownSync(join(place.home, name), 65_534, 65_534)
        chmodSync(place.home, 0o777)
        const through = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups']
        const { exitCode, stdout, stderr } = await payctl(place, ['customers', 'list'], { through })
        expect(exitCode, stdout + stderr).to.equal(4)
        expect(stderr).to.match(/^error: The login nobody \(65534\) is no active operator of test; .*\n$/)
      })
    }
  })
})
