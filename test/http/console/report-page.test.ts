import { expect } from 'chai'
import { Business } from '../../support/business.js'
import { consoleServer } from '../../support/console.js'
import { idOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { pay } from '../../support/examples.js'
import { operatorVisit } from './operators-visit.js'

const MARCH = 'from=2030-03-01&to=2030-03-31'

onDatabases((open) => {
  describe('pages of reports', () => {
    const opened = async () => {
      const business = await Business.open(open, {}, '2030-03-05 17:00:00')
      const processing = await business.account()
      const payment = idOf(await pay(business.core, processing, 29.99))
      business.at('2030-04-02 17:00:00')
      return { business, processing, payment, ada: operatorVisit(business.core.app, { role: 'viewer' }) }
    }

    it('show the rows with their totals, and the plot of a summary', async () => {
      const { ada, payment } = await opened()
      expect((await ada.get('reports')).location).to.equal('/console/test/reports/summary')
      const summary = await ada.get(`reports/summary?${MARCH}&by=month`)
      expect(summary.status).to.equal(200)
      expect(summary.text).to.include('<svg').and.include('$29.99').and.include('Volume by month')
      const daily = await ada.get(`reports/summary?${MARCH}`)
      expect(daily.text)
        .to.include('Declines by reason')
        .and.include('payctl reports summary --from=2030-03-01')
      const statement = await ada.get(`reports/statement?${MARCH}`)
      for (const fact of ['opening', 'closing', '$28.82', '$1.17', payment])
        expect(statement.text).to.include(fact)
      for (const name of ['deposits', 'fees', 'disputes', 'aging', 'journal'])
        expect((await ada.get(`reports/${name}?${MARCH}`)).status, name).to.equal(200)
      expect((await ada.get('reports/other')).status).to.equal(404)
    })

    it('refuse a reversed period', async () => {
      const { ada } = await opened()
      expect((await ada.get('reports/summary?from=2030-03-31&to=2030-03-01')).status).to.equal(400)
    })

    it('offer the same file as the terminal', async () => {
      const { business, payment, processing } = await opened()
      const server = consoleServer(business.core.app, { role: 'viewer' })
      const url = `/console/test/reports/statement?${MARCH}&as=csv`
      const { body, headers } = await server.inject({ method: 'GET', url })
      expect(headers['content-type']).to.equal('text/csv; charset=utf-8')
      const [head, , line] = body.split('\n')
      expect(head).to.equal("'processing_id,date,kind,reference,object_id,amount,fee,net,balance,booked_at")
      expect(line)
        .to.include(`${processing},2030-03-05,payment,`)
        .and.include(`${payment},29.99,1.17,28.82,28.82`)
    })
  })
})
