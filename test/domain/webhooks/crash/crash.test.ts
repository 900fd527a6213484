import { expect } from 'chai'
import { onDatabases } from '../../../support/databases.js'
import { crashDelivery } from './driver.js'

describe('delivery by a service that is killed', () => {
  onDatabases((open) => {
    it('sends every event, whenever the service is killed', async () => {
      const place = await open.migrated()
      const arrived = await crashDelivery({ place, events: 500, kills: 2, seed: 11, longest: 400 })
      expect(arrived.events).to.be.at.least(500)
      expect(arrived).to.deep.include({ missing: [], unknown: [], isMixed: false })
    })
  })
})
