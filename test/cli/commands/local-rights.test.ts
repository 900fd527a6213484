import { userInfo } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { eachCase } from '../../support/each-case.js'
import { MANIFEST } from './invocations.js'
import { payctl } from './payctl.js'

const { username } = userInfo()

/** The commands that declare rights, each with its environments. */
const declaring = Object.entries(MANIFEST).flatMap(([id, { rights }]) =>
  rights ? [[id, rights] as const] : [],
)

/** Arguments for each of these commands; the named files and keys do not exist. */
const wordsOf = (folder: string): Readonly<Record<string, readonly string[]>> => ({
  backup: [join(folder, 'backup')],
  'books:accept': ['--reason', 'a restored disk'],
  demo: [],
  restore: [join(folder, 'missing')],
  'vault:export': [join(folder, 'keys')],
  'vault:forget': ['3f0c9a2be41d'],
  'vault:import': [join(folder, 'missing')],
  'vault:rotate': ['--confirm', 'another'],
})

describe('a command that accesses databases or keys directly', () => {
  onDatabases((open) => {
    /** Adds an owner with another login, and an operator with these rights whose login is that of the test. */
    const becomeOperator = async (place: Place, environment: string, rights: readonly string[]) => {
      const owner = { name: 'Grace', email: 'g@example.com', role: 'owner', login: 'g', uid: 4242 }
      const env = ['--env', environment]
      const input = JSON.stringify(owner)
      const first = await payctl(place, ['operators', 'add', '--data', '-', ...env], { input })
      expect(first.exitCode, first.stderr).to.equal(0)
      const ada = ['--name', 'Ada', '--email', 'ada@example.com', '--login', username, ...rights]
      expect(await payctl(place, ['operators', 'add', ...ada, ...env])).to.include({ exitCode: 0 })
    }
    const CASHIER = ['--role', 'cashier']
    const run = async (place: Place, id: string, environment: string) => {
      const words = wordsOf(place.home)[id] ?? expect.fail(`No words for ${id}`)
      return await payctl(place, [...id.split(':'), ...words, '--env', environment, '--no-input'])
    }

    it('refuses a login whose role in its environment is too low', async () => {
      const place = await open.migrated()
      await becomeOperator(place, 'test', CASHIER)
      await eachCase(
        declaring,
        ([id]) => id,
        async ([id, { least }]) => {
          const { exitCode, stdout, stderr } = await run(place, id, 'test')
          const needed = `payctl ${id.replaceAll(':', ' ')} needs the role ${least} in test; yours is cashier`
          expect({ exitCode, stdout, stderr }).to.deep.equal({
            exitCode: 4,
            stdout: '',
            stderr: `error: ${needed}\n`,
          })
        },
      )
    })

    it('checks the role in the other environment, too, if the command affects the whole home', async () => {
      const place = await open.migrated()
      await becomeOperator(place, 'live', CASHIER)
      await eachCase(
        declaring,
        ([id]) => id,
        async ([id, rights]) => {
          const { exitCode, stderr } = await run(place, id, 'test')
          const isRefused = exitCode === 4 && stderr.includes('in live; yours is cashier')
          expect(isRefused, `${exitCode} ${stderr}`).to.equal(rights.in === 'home')
        },
      )
    })

    it('refuses an owner who is narrowed to processing accounts', async () => {
      const place = await open.migrated()
      const json = async (...words: string[]) => {
        const { exitCode, stdout, stderr } = await payctl(place, [...words, '--json'])
        expect(exitCode, stderr).to.equal(0)
        return String(objectOf(JSON.parse(stdout)).id)
      }
      const shop = await json(
        'processing-accounts',
        'create',
        '--name',
        'Shop',
        '--processing.industry',
        'food',
      )
      await becomeOperator(place, 'test', ['--role', 'owner', '--processing', shop])
      expect(await run(place, 'vault:export', 'test')).to.deep.equal({
        exitCode: 4,
        stdout: '',
        stderr:
          'error: payctl vault export needs the role owner in test, and yours is narrowed to processing accounts\n',
      })
    })
  })
})
