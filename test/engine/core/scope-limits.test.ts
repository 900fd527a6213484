import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { idOf, list, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount } from '../../support/examples.js'

const times = (count: number, text: string, separator: string) => Array(count).fill(text).join(separator)

onDatabases((open) => {
  describe('one request', () => {
    let core: TestCore
    let customer: string

    before(async () => {
      core = await openCore(open)
      customer = idOf(await core.ok('POST', '/customers', { name: 'Ada', attrs: { a: 1 } }))
    })

    const answered = async (query: string) => {
      const { status, body } = await core.send('GET', '/customers', undefined, { query })
      return [status, body.error_type, body.error_description]
    }
    const deep = (count: number) => `attrs${times(count - 1, '[a]', '')}`
    const indexed = (count: number) => `attrs${times(count - 1, '[0]', '')}`

    const allowed: readonly [what: string, query: string, found: number][] = [
      ['100 filters', times(100, 'name=!x', '&'), 1],
      ['1,000 alternatives', `name=${times(999, 'x', '|')}|Ada`, 1],
      ['100 comparisons', `name=${times(99, '>x', '|')}|>A`, 1],
      ['20 filters on related objects', times(20, 'payment_methods[type]=!card', '&'), 0],
      ['200 fields', `fields=${times(200, '*', ',')}`, 1],
      ['10 orders', `order_by=${times(10, 'name', ',')}`, 1],
      ['10 groupings', `group_by=${times(10, 'name', ',')}`, 1],
      ['names of 32 parts', `${deep(32)}=1`, 0],
      ['names of 32 parts that are indexes', `${indexed(32)}=1`, 0],
    ]
    for (const [what, query, found] of allowed) {
      it(`may have ${what}`, async () => {
        expect(valuesOf(await core.ok('GET', '/customers', undefined, { query }))).to.have.length(found)
      })
    }

    const refused: readonly [what: string, query: string, description: string][] = [
      ['filters', times(101, 'name=!x', '&'), 'A query may have at most 100 filters'],
      ['alternatives', `name=${times(1_001, 'x', '|')}`, 'A filter may have at most 1000 alternatives'],
      ['comparisons', `name=${times(101, '!x', '|')}`, 'A filter may have at most 100 comparisons'],
      [
        'a million alternatives',
        `name=${times(1e6, 'x', '|')}`,
        'A filter may have at most 1000 alternatives',
      ],
      ['fields', `fields=${times(201, '*', ',')}`, 'A query may have at most 200 fields'],
      ['fields, each by itself', times(201, 'fields=id', '&'), 'A query may have at most 200 fields'],
      [
        'filters on related objects',
        times(21, 'payment_methods[type]=card', '&'),
        'A query may have at most 20 filters on related objects',
      ],
      [
        'functions of related objects',
        times(21, 'year(legal_entity[created_at])=2026', '&'),
        'A query may have at most 20 filters on related objects',
      ],
      ['groupings', `group_by=${times(11, 'name', ',')}`, 'A query may have at most 10 groupings'],
      ['orders', `order_by=${times(11, 'name', ',')}`, 'A query may have at most 10 orders'],
      ['orders, each by itself', times(11, 'order_by=-name', '&'), 'A query may have at most 10 orders'],
      ['depth of a filter', `${deep(33)}=1`, 'A name may have at most 32 parts'],
      [
        'depth of a filter that is no attribute',
        `x${times(1e5, '[x]', '')}=1`,
        'A name may have at most 32 parts',
      ],
      ['depth of a field', `fields=id,${deep(33)}`, 'A name may have at most 32 parts'],
      ['depth of an order', `order_by=${deep(33)}`, 'A name may have at most 32 parts'],
    ]
    for (const [what, query, description] of refused) {
      it(`is refused beyond the limit of ${what}`, async () => {
        expect(await answered(query)).to.deep.equal([400, 'BadRequest', description])
      })
    }

    it('has the same limits for every method, but POST has no limit for parameters that it ignores', async () => {
      const query = `mode=query&${times(101, 'name=Nobody', '&')}`
      const bodies: [Method, JsonObject | undefined][] = [
        ['PUT', { name: 'Eve' }],
        ['DELETE', undefined],
      ]
      for (const [method, body] of bodies) {
        expect((await core.send(method, '/customers', body, { query })).status, method).to.equal(400)
      }
      const posted = { query: `${times(101, 'name=x', '&')}&fields=id` }
      expect(Object.keys(await core.ok('POST', '/customers', { name: 'Eve' }, posted))).to.deep.equal(['id'])
      const shaped = { query: `fields=${times(201, 'id', ',')}` }
      expect((await core.send('POST', '/customers', { name: 'Eve' }, shaped)).status).to.equal(400)
    })

    it('has a limit for lists, at the top level and inside an object', async () => {
      const many = Array.from({ length: 1001 }, () => ({ name: 'Many' }))
      const whole = await core.send('POST', '/customers', list(many))
      expect([whole.status, whole.body.error_type]).to.deep.equal([400, 'BadRequest'])
      const methods = Array.from({ length: 10_001 }, () => bankAccount())
      const inner = await core.send('PUT', `/customers/${customer}`, { payment_methods: methods })
      expect([inner.status, inner.body.details]).to.deep.equal([
        400,
        { payment_methods: 'Must have at most 10000 items' },
      ])
    })

    it('has a limit for written rows, also when a small tree applies to many matches', async () => {
      const crowd = await openCore(open)
      const names = Array.from({ length: 1000 }, () => ({ name: 'Crowd' }))
      await crowd.ok('POST', '/customers', list(names), { query: 'fields=id' })
      const body = { payment_methods: Array.from({ length: 21 }, () => bankAccount()) }
      const { status, body: answer } = await crowd.send('PUT', '/customers', body, {
        query: 'mode=query&name=Crowd&fields=id',
      })
      expect([status, answer.error_type]).to.deep.equal([400, 'BadRequest'])
      expect((await crowd.ok('GET', '/payment_methods')).values).to.deep.equal([])
    })
  })
})
