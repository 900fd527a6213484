import { expect } from 'chai'
import { Business } from '../../support/business.js'
import { consoleServer } from '../../support/console.js'
import { idOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { pay } from '../../support/examples.js'
import { type OperatorVisit, operatorVisit } from './operators-visit.js'

onDatabases((open) => {
  describe('pages of disputes', () => {
    let business: Business
    let account: string
    let ada: OperatorVisit

    before(async () => {
      business = await Business.open(open)
      account = await business.account({ duplicate_window: 0 })
      ada = operatorVisit(business.core.app, { role: 'manager', id: 'oper_ada' })
    })

    const disputed = async () => {
      const payment = idOf(await pay(business.core, account, 50))
      await business.simulate('chargeback', payment)
      const query = { query: `transaction_id=${payment}` }
      return idOf(valuesOf(await business.core.ok('GET', '/disputes', undefined, query))[0] ?? {})
    }
    const dispute = async (id: string) => await business.core.ok('GET', `/disputes/${id}`)
    const preview = async (path: string, more: Readonly<Record<string, string>> = {}) =>
      await ada.send(path, { ...(await ada.get(path)).fields, ...more })

    it('list waiting disputes on the first page, each with its deadline for evidence', async () => {
      const id = await disputed()
      expect((await ada.get('')).text).to.include(`/console/test/disputes/${id}`)
      expect((await ada.get('disputes')).text).to.include(`/console/test/disputes/${id}`)
      const { text } = await ada.get(`disputes/${id}`)
      for (const said of ['Evidence until', 'fraudulent', `disputes/${id}/contest`, `disputes/${id}/accept`])
        expect(text).to.include(said)
    })

    it('list the first deadline first without answered disputes, which the list of all disputes has', async () => {
      const [first, answered] = [await disputed(), await disputed()]
      business.at('2030-01-16 17:00:00')
      const later = await disputed()
      await business.core.ok('POST', `/disputes/${answered}/accept`)
      const idsOn = async (path: string) =>
        [...(await ada.get(path)).text.matchAll(/disputes\/(dsp_\w+)/g)].map(([, id]) => id)
      const listed = (await idsOn('disputes')).filter((id) => id === first || id === later)
      expect([...new Set(listed)]).to.deep.equal([first, later])
      expect(await idsOn('disputes')).to.not.include(answered)
      expect((await ada.get('disputes')).text).to.include('disputes?order_by=desc(created_at)')
      expect(await idsOn('disputes?order_by=desc(created_at)')).to.include.members([first, answered, later])
    })

    it('submit a statement once, after a preview that writes no row', async () => {
      const id = await disputed()
      const path = `disputes/${id}/contest`
      const shown = await preview(path, { text: 'It was delivered <on Monday>' })
      expect(shown.text).to.include('It was delivered &#60;on Monday&#62;')
      expect(await dispute(id)).to.include({ stage: 'needs_response' })
      await ada.send(path, { ...shown.fields, 'write.step': 'do' })
      expect(await dispute(id)).to.include({ stage: 'under_review', answer: 'contest' })
      expect((await ada.get(path)).text).to.include('It takes no answer now')
      expect((await ada.get(`disputes/${id}`)).text).not.to.include(`disputes/${id}/accept`)
    })

    it('submit files selected at the preview', async () => {
      const id = await disputed()
      const path = `disputes/${id}/contest`
      const shown = await preview(path, { text: 'See the slip' })
      expect(shown.text).to.include('enctype="multipart/form-data"').and.include('name="file.0"')
      const sent = new FormData()
      for (const [name, value] of Object.entries(shown.fields))
        if (!name.startsWith('file.')) sent.append(name, value)
      sent.append('write.step', 'do')
      sent.append('file.0', new File(['%PDF-1.7'], 'slip.pdf', { type: 'application/pdf' }))
      sent.append('file.1', new File([], ''))
      const form = new Response(sent)
      const answer = await consoleServer(business.core.app, { role: 'manager', id: 'oper_ada' }).inject({
        method: 'POST',
        url: `/console/test/${path}`,
        payload: Buffer.from(await form.arrayBuffer()),
        headers: { 'content-type': form.headers.get('content-type') ?? '' },
      })
      expect(answer.statusCode).to.equal(303)
      const evidence = { query: 'fields=evidence,stage' }
      expect(await business.core.ok('GET', `/disputes/${id}`, undefined, evidence)).to.deep.include({
        stage: 'under_review',
        evidence: ['text', 'slip.pdf'],
      })
    })

    it('concede a dispute', async () => {
      const id = await disputed()
      const shown = await ada.get(`disputes/${id}/accept`)
      await ada.send(`disputes/${id}/accept`, { ...shown.fields, 'write.step': 'do' })
      expect(await dispute(id)).to.include({ stage: 'lost', answer: 'accept' })
    })

    it('offer no form for an answer to roles that may not answer', async () => {
      const id = await disputed()
      const cashier = operatorVisit(business.core.app, { role: 'cashier', id: 'oper_cy' })
      expect((await cashier.get(`disputes/${id}`)).text).not.to.include(`disputes/${id}/accept`)
      expect((await cashier.get(`disputes/${id}/accept`)).status).to.be.oneOf([403, 404])
    })
  })
})
