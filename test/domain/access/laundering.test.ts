import { expect } from 'chai'
import { makeControlRows } from '../../support/control-rows.js'
import { openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { asOutsider, booksSealed } from '../../support/outsider.js'
import { stolenRows } from '../../support/stolen-rows.js'

interface Change {
  readonly table: string
  readonly where?: string
  readonly thief: string
  readonly body: object
}

/** Changes of rows by an attacker, and authorized changes of the same rows, by the path of their resource. */
const CHANGES: Readonly<Record<string, Change>> = {
  '/admin/keys': { table: 'admin_keys', thief: 'manage = 1', body: { expires_at: '2999-01-01 00:00:00' } },
  '/admin/oauth_users': {
    table: 'admin_oauth_users',
    thief: "email = 'thief@example.com'",
    body: { password: 'another long password' },
  },
  '/webhooks': { table: 'webhooks', thief: "url = 'https://thief.example/'", body: { status: 'enabled' } },
  '/orgs': { table: 'orgs', thief: "name = 'Thief'", body: { industry: 'toys' } },
  '/processing_accounts': {
    table: 'accounts',
    where: "type = 'processing'",
    thief: 'parent_org_id = null',
    body: { name: 'Corner shop' },
  },
  '/payment_methods': {
    table: 'payment_methods',
    where: "type = 'bank_account'",
    thief: "bank_account__routing_number = '021000021'",
    body: { attrs: { note: 'main' } },
  },
}

onDatabases((open) => {
  describe('an authorized change of a row that was changed outside of payctl', () => {
    let core: TestCore

    before(async () => {
      core = await openCore(open)
      await makeControlRows(core.app)
      await booksSealed(core.place)
    })

    for (const [path, { table, where = '1 = 1', thief, body }] of Object.entries(CHANGES))
      it(`is refused, because it would seal the attacker's values: ${path}`, async () => {
        const [row] = await stolenRows(core.place, table, where)
        const id = String(row?.['id'])
        const sent = JSON.parse(JSON.stringify(body))
        await core.ok('PUT', `${path}/${id}`, sent)
        await asOutsider(core.place, `update ${table} set ${thief} where id = '${id}'`)
        const { status, body: answer } = await core.send('PUT', `${path}/${id}`, sent)
        expect(JSON.stringify(answer)).to.contain(`${id} is not what was sealed last`)
        expect(status).to.equal(409)
        await booksSealed(core.place)
        const { findings } = await core.ok('GET', '/admin/verify')
        expect(JSON.stringify(findings)).to.contain(id)
      })
  })
})
