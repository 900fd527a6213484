import { expect } from 'chai'
import { localClient } from '../../../../src/cli/terminal/local/local-client.js'
import { openStore } from '../../../../src/engine/store/open-store.js'
import { systemRandom } from '../../../../src/platform/random.js'
import { onDatabases } from '../../../support/databases.js'
import { rejection } from '../../../support/rejection.js'

const from = 'default'

describe('a client in the same process', () => {
  onDatabases((open) => {
    it('throws the error of each failed request, and answers the others', async () => {
      const place = await open.migrated()
      const store = await openStore({ ...place, environment: 'test', random: systemRandom })
      for (const table of ['readers', 'receipts'])
        await store.write(({ any }) => any.schema.alterTable(table).renameTo(`${table}_gone`).execute())
      await store.close()
      const { home, databaseUrl } = place
      const client = await localClient({
        environment: { value: 'test', from },
        home: { value: home, from },
        ...(databaseUrl !== undefined && { databaseUrl: { value: databaseUrl, from } }),
        limit: {},
      })
      open.atEnd(() => client.close())
      const list = (path: string) => client.send({ method: 'GET', path })
      const [readers, customers, receipts] = await Promise.all([
        rejection(list('/readers')),
        list('/customers'),
        rejection(list('/receipts')),
      ])
      expect(readers.message).to.match(/\breaders\b/)
      expect(receipts.message).to.match(/\breceipts\b/)
      expect(customers.status).to.equal(200)
    })
  })
})
