import { expect } from 'chai'
import { onPostgres } from '../../support/databases.js'
import { httpService } from '../../support/http.js'
import { asOutsider } from '../../support/outsider.js'
import { handTimers } from '../../support/timers.js'

onPostgres((open) => {
  describe('keys created at the same time', () => {
    it('work even if the first one is committed last', async () => {
      const place = await open.migrated()
      // Sealing waits for timers, which never fire here.
      const service = await httpService(place, { timers: handTimers() })
      open.atEnd(() => service.stop())
      const status = async (key: string) => (await service.ask(key, 'GET', '/transactions')).status
      const first = await service.key()
      // The log entry of the key gets its number now, but is committed after the next entry.
      await asOutsider(
        place,
        'create table later as select * from seal_queue',
        'delete from seal_queue where id in (select id from later)',
      )
      const second = await service.key()
      expect(await status(second)).to.equal(200)
      await asOutsider(place, 'insert into seal_queue select * from later', 'drop table later')
      expect(await status(first)).to.equal(200)
      expect(await status(second)).to.equal(200)
    })
  })
})
