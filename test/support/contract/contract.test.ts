import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { list, openCore, type TestCore } from '../core.js'
import { onSqlite } from '../databases.js'
import { makeProcessing, pay } from '../examples.js'
import { type CheckedRequest, problemsOf } from './check.js'

/** Passes wrong answers to the check, because a check that never fails would accept everything. */
describe('the check of answers against the document', () => {
  onSqlite((open) => {
    let core: TestCore
    let transaction: JsonObject
    let request: CheckedRequest

    before(async () => {
      core = await openCore(open)
      transaction = await pay(core, await makeProcessing(core), 10)
      request = { method: 'GET', path: `/transactions/${transaction.id}` }
    })

    const problems = (body: JsonObject, more: Partial<CheckedRequest> = {}, status = 200) =>
      problemsOf({ ...request, ...more }, { status, body }).join('\n')

    it('accepts the answers of the service', () => {
      expect(problems(transaction)).to.equal('')
    })

    it('reports an additional attribute, at any depth', () => {
      expect(problems({ ...transaction, surprise: 1 })).to.include('additional properties (surprise)')
      const method = { ...Object(transaction.payment_method), card_hash: 'x' }
      expect(problems({ ...transaction, payment_method: method })).to.include('/payment_method')
    })

    it('reports a missing attribute', () => {
      const { status: _, ...rest } = transaction
      expect(problems(rest)).to.include("required property 'status'")
    })

    it('reports a value of another type, format or set', () => {
      expect(problems({ ...transaction, amount: '10.00' })).to.include('/amount must be number')
      expect(problems({ ...transaction, amount: null })).to.include('/amount must be number')
      expect(problems({ ...transaction, created_at: '2031-01-31T14:05:00Z' })).to.include('/created_at')
      expect(problems({ ...transaction, id: 'acct_0VbZZ9ka000lYgZbU5j7pF' })).to.include('/id')
      expect(problems({ ...transaction, status: 'done' })).to.include('/status')
    })

    it('reports a list in place of one object, and the reverse', () => {
      expect(problems(list([transaction]))).to.not.equal('')
      expect(problems(transaction, { path: '/transactions' })).to.not.equal('')
      const sent = { method: 'POST', path: '/transactions', body: list([]) }
      expect(problems(transaction, sent)).to.not.equal('')
      expect(problems(list([transaction]), sent)).to.equal('')
      expect(problems({ ...list([transaction]), total: 1 }, sent)).to.include('total')
    })

    it('reports an attribute that `fields` did not request, and a requested attribute that is missing', () => {
      const fields = (...names: string[]): Partial<CheckedRequest> => ({
        query: [['fields', names.join(',')]],
      })
      expect(problems({ id: transaction.id ?? null }, fields('id'))).to.equal('')
      expect(problems({ id: transaction.id ?? null }, fields('id', 'amount'))).to.include(
        'amount was requested, and is missing',
      )
      expect(problems(transaction, fields('id'))).to.include('amount was not requested')
      expect(problems({ ...transaction, ledger: [] }, fields('*', 'ledger'))).to.equal('')
      expect(problems({ ...transaction, ledger: [] }, fields('*'))).to.include('ledger was not requested')
    })

    it('reports a value of a group that was not requested', () => {
      const groups = (values: JsonObject, ...query: [string, string][]) =>
        problems(list([values]), { path: '/transactions', query })
      expect(groups({ 'count(*)': 1 }, ['fields', 'count(*)'])).to.equal('')
      expect(groups({ 'payment_method[type]': 'card' }, ['group_by', 'payment_method[type]'])).to.equal('')
      expect(groups({ status: 'x', id: 'y' }, ['group_by', 'status'])).to.include('a group has status,id')
      expect(groups({ 'count(*)': {} }, ['fields', 'count(*)'])).to.include('/values/0/count')
      expect(groups({ 'a b': 1 }, ['fields', 'a b'], ['group_by', 'a b'])).to.include('additional properties')
    })

    it('reports an undocumented status or path', () => {
      const error = { object: 'error', error_type: 'Conflict', error_description: 'x', details: {} }
      expect(problems(error, {}, 409)).to.include('does not know')
      expect(problems(transaction, { path: '/transactions/txn_1/secrets' })).to.include('does not know')
      expect(problems(transaction, { method: 'POST' })).to.include('does not know')
      expect(problems(transaction, {}, 201)).to.include('does not know')
    })

    it('reports an undocumented header', () => {
      const headers = (name: string) =>
        problemsOf(request, { status: 200, body: transaction, headers: { [name]: '1' } })
      expect(headers('Surprise').join()).to.include('header Surprise')
      expect(
        problemsOf(
          { ...request, path: '/transactions' },
          { status: 200, body: list([]), headers: { Link: '1' } },
        ),
      ).to.deep.equal([])
    })

    it('reports an error object that does not match its status', () => {
      const error = { object: 'error', error_type: 'NotFound', error_description: 'x', details: {} }
      expect(problems(error, {}, 404)).to.equal('')
      expect(problems(error, {}, 403)).to.include('/error_type')
      expect(problems({ ...error, stack: 'at …' }, {}, 404)).to.include('stack')
      expect(problems({ ...error, details: 'x' }, {}, 404)).to.include('/details')
    })

    it('reports a decline without the stored transaction', () => {
      const declined = { object: 'error', error_type: 'TransactionDeclined', error_description: 'x' }
      const sent = { method: 'POST', path: '/transactions', body: {} }
      expect(problems({ ...declined, details: transaction }, sent, 400)).to.equal('')
      expect(problems({ ...declined, details: {} }, sent, 400)).to.include('/details')
    })
  })
})
