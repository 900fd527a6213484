import { expect } from 'chai'
import { openStore } from '../../src/engine/store/open-store.js'
import { systemRandom } from '../../src/platform/random.js'
import { payctl } from '../cli/commands/payctl.js'
import { objectOf } from '../support/core.js'
import { type Place as Database, onDatabases } from '../support/databases.js'
import { startServer } from '../support/server-process.js'
import { look, type Place } from './look.js'
import { kept } from './places.js'
import { refusals } from './refusals.js'
import { type Secret, secrets } from './secret.js'
import { goodStory, keyStory, laterStory, oauthStory, webhookStory } from './story.js'
import { Teller } from './teller.js'

describe('secrets', () => {
  onDatabases((open) => {
    let database: Database
    let running: Place[]
    let stopped: Place[]
    let log: string
    let teller: Teller
    let sought: readonly Secret[]

    before(async () => {
      database = await open.migrated()
      const made = await payctl(database, ['keys', 'create', '--manage', '--json'])
      const server = await startServer(database, ['--log-level', 'debug'])
      try {
        teller = new Teller(server.address, String(objectOf(JSON.parse(made.stdout)).secret_key))
        await goodStory(teller)
        await laterStory(teller)
        await refusals(teller)
        await keyStory(teller)
        await webhookStory(teller)
        await oauthStory(teller, server.address)
        sought = [...secrets, ...teller.keys]
        running = await kept(database)
      } finally {
        await server.stop()
      }
      log = await server.ended
      stopped = await kept(database)
    })

    it('are in no file and no table, while the server runs and afterwards', () => {
      expect(look(running, sought)).to.deep.equal([])
      expect(look(stopped, sought)).to.deep.equal([])
    })

    it('are in no line of the log', () => {
      expect(log.split('\n')).to.have.length.above(100)
      expect(look([{ where: 'the log', content: log }], sought)).to.deep.equal([])
    })

    it('are in no answer', () => {
      expect(teller.answers).to.have.length.above(250)
      expect(look(teller.answers, sought)).to.deep.equal([])
    })

    it('would all be found by this search if they were stored in clear', async () => {
      const everywhere = (where: string) => sought.map(({ name }) => `${name} in ${where}`)
      const written = sought.flatMap((secret) => (secret.kind === 'codes' ? secret.values : [secret.value]))
      for (const { where, content } of [...teller.answers.slice(0, 1), { where: 'the log', content: log }]) {
        expect(look([{ where, content: `${content} ${written.join(' ')}` }], sought)).to.deep.equal(
          everywhere(where),
        )
      }
      await write(database, written)
      expect(look(await kept(database), sought)).to.include.members(
        everywhere(database.dialect === 'sqlite' ? 'test.db' : 'payctl_test.events'),
      )
    })
  })
})

/** Writes texts in clear into a table, to prove that the search finds them. */
async function write(database: Database, texts: readonly string[]): Promise<void> {
  const store = await openStore({ ...database, environment: 'test', random: systemRandom })
  const about = {
    trigger: 'payment',
    object: 'transaction',
    value: null,
    processing_id: null,
    principal_id: 'operator',
    created_at: '',
  }
  const rows = texts.map((text, index) => ({ ...about, id: `evt_${index}`, object_id: text }))
  try {
    await store.write(({ db }) => db.insertInto('events').values(rows).execute())
  } finally {
    await store.close()
  }
}
