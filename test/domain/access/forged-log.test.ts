import { expect } from 'chai'
import { owner } from '../../../src/engine/core/request/principal.js'
import { hexOf, leafHash } from '../../../src/engine/store/books/merkle.js'
import { sealedTables } from '../../../src/engine/store/books/sealed-table.js'
import type { Row } from '../../../src/schema/columns.js'
import { idOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { type HttpService, httpService } from '../../support/http.js'
import { asOutsider, booksSealed } from '../../support/outsider.js'
import { putBack, type StolenRow, stolenRows } from '../../support/stolen-rows.js'

onDatabases('seals', (open) => {
  describe('a log of seals that an attacker changed while no process ran', () => {
    let place: Place
    let secret: string
    let id: string
    /** The stored row of a key, and the id of the sealed commit that created the key. */
    let stolen: StolenRow
    let madeBy: unknown

    before(async () => {
      place = await open.migrated()
      await whileServed(place, async (service) => {
        const made = await asOperator(service, 'POST', '/admin/keys', { description: 'of a shop' })
        secret = String(made['secret_key'])
        id = idOf(made)
        expect(await status(service, secret)).to.equal(200)
      })
      stolen = (await stolenRows(place, 'admin_keys', `id = '${id}'`))[0] ?? {}
      madeBy = (await controlCommits(place)).at(-1)?.['id']
    })

    it('makes no changed key valid, even if its digest in a commit was replaced', async () => {
      const wanted = { ...stolen, manage: 1 }
      const commits = await controlCommits(place)
      await asOutsider(place, `update admin_keys set manage = 1 where id = '${id}'`)
      for (const commit of commits) {
        const forged = leavesOf(commit).replace(digestOf(stolen), digestOf(wanted))
        await asOutsider(place, setLeaves(place, commit, forged))
      }
      await expectRefused()
      for (const commit of commits) await asOutsider(place, setLeaves(place, commit, leavesOf(commit)))
      await putBack(place, 'admin_keys', [stolen])
    })

    it('makes no revoked key valid, even if a copy of an old commit was appended', async () => {
      await whileServed(place, async (service) => {
        await asOperator(service, 'DELETE', `/admin/keys/${id}`)
        expect(await status(service, secret)).to.equal(401)
      })
      await putBack(place, 'admin_keys', [stolen])
      const columns = 'hash, mac, control, control_before, entries, leaves'
      await asOutsider(
        place,
        `insert into seal_log (id, ${columns})
          select (select max(id) from seal_log) + 1, ${columns} from seal_log where id = ${madeBy}`,
      )
      await expectRefused()
    })

    /** Restarts the service, which then reads the log from the database only. */
    async function expectRefused() {
      const service = await httpService(place, { report: () => undefined })
      expect(await status(service, secret)).to.equal(503)
      await service.stop()
    }
  })
})

async function whileServed(place: Place, work: (service: HttpService) => Promise<void>): Promise<void> {
  const service = await httpService(place)
  await work(service)
  await booksSealed(place)
  await service.stop()
}

async function status(service: HttpService, key: string): Promise<number> {
  return (await service.ask(key, 'GET', '/transactions')).status
}

async function asOperator(service: HttpService, method: 'POST' | 'DELETE', path: string, body = {}) {
  const { core } = await service.app.environment('test')
  const answer = await core.handle({ method, path, body: { ...body }, principal: owner })
  expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
  return answer.body
}

async function controlCommits(place: Place): Promise<readonly StolenRow[]> {
  return await stolenRows(place, 'seal_log', 'control_before is not null')
}

function digestOf(row: StolenRow): string {
  const table = sealedTables().get('admin_keys')
  if (!table) throw new Error('Keys are not sealed')
  const values: Row = JSON.parse(JSON.stringify(row))
  return hexOf(leafHash(table.write(table.valuesOf(values))))
}

/** The digests of rows that a commit seals, in hex. */
function leavesOf({ leaves }: StolenRow): string {
  if (!Buffer.isBuffer(leaves)) throw new Error('A commit has no leaves')
  return leaves.toString('hex')
}

function setLeaves({ dialect }: Place, commit: StolenRow, hex: string): string {
  const bytes = dialect === 'sqlite' ? `x'${hex}'` : `'\\x${hex}'`
  return `update seal_log set leaves = ${bytes} where id = ${commit['id']}`
}
