import { expect } from 'chai'
import { openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { asOutsider } from '../../support/outsider.js'
import { payctl } from './payctl.js'

describe('payctl mail', () => {
  onDatabases((open) => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
    })
    const run = async (...words: string[]) => await payctl(core.place, words)

    it('is off by default, keeps messages in test, and shows them', async () => {
      expect((await run('mail', 'set')).stderr).to.include('Mail is off')
      expect((await run('mail', 'test', '--to', 'me@example.com')).exitCode).to.equal(2)
      const set = await run('mail', 'set', '--from', 'billing@example.com', '--reminder-days', '7', '--json')
      expect(JSON.parse(set.stdout)).to.include({ from_address: 'billing@example.com', reminder_days: 7 })
      const changed = await run('mail', 'set', '--language', 'fr', '--json')
      expect(JSON.parse(changed.stdout)).to.include({ language: 'fr', reminder_days: 7 })
      expect((await run('mail', 'test', '--to', 'me@example.com')).stderr).to.include('The message is kept')
      const listed = await run('mail', 'list', '--where', 'status=kept', '--output', 'ndjson')
      const { id, email } = JSON.parse(listed.stdout)
      expect(email).to.equal('me@example.com')
      const shown = await run('mail', 'show', id)
      expect(shown.stdout).to.include('To: me@example.com').and.to.include('Le courrier fonctionne')
      expect((await run('mail', 'show', id, '--html')).stdout).to.include('<html lang="fr">')
      expect((await run('mail', 'deliver')).exitCode).to.equal(0)
    })

    it('makes doctor name abandoned messages', async () => {
      const line = async () =>
        (await run('doctor')).stdout.split('\n').find((text) => text.startsWith('test mail')) ?? ''
      expect(await line()).to.match(/ok .*kept, and sent to nobody/)
      await asOutsider(
        core.place,
        "update admin_mail_messages set status = 'failed', problem = 'No such person', created_at = '2999-01-01 00:00:00'",
      )
      expect(await line()).to.match(/warning .*1 message was given up: No such person/)
      await run('mail', 'off')
      expect(await line()).to.match(/ok .*off/)
    })
  })
})
