import { expect } from 'chai'
import { resources } from '../../../src/resources/resource-table.js'
import type { Fields } from '../../../src/schema/field.js'
import type { Json } from '../../../src/schema/json.js'
import { attributesOf } from '../../../src/schema/resource.js'
import { unsetFlag } from '../../../src/schema/wire.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeCustomer, makeProcessing, pay } from '../../support/examples.js'

describe('flags of resources', () => {
  const flagsOf = (fields: Fields): [name: string, unset: unknown][] =>
    Object.entries(fields).flatMap(([name, field]) => {
      if (field.kind === 'group') return flagsOf(field.fields)
      return field.kind === 'flag' ? [[name, unsetFlag(field)] as [string, unknown]] : []
    })

  it('are true or false if no value is stored, except flags whose third value is null', () => {
    const open = Object.values(resources).flatMap((resource) =>
      flagsOf(attributesOf(resource)).flatMap(([name, unset]) => (unset === null ? [name] : [])),
    )
    expect(open).to.deep.equal(['risk_check_enabled', 'verifies_notifications'])
  })
})

onDatabases((open) => {
  describe('flags without a stored value', () => {
    let core: TestCore
    /** The state of each method id: no stored value, false after it was true, and true. */
    const names = new Map<Json, 'unset' | 'false' | 'true'>()
    let ada: string

    before(async () => {
      core = await openCore(open)
      const shop = await makeProcessing(core)
      ada = await makeCustomer(core, shop)
      const make = async (more = {}) =>
        idOf(await core.ok('POST', '/payment_methods', { ...card(), account_id: ada, ...more }))
      names.set(await make(), 'unset')
      names.set(await make({ default_payment_method: true }), 'false')
      names.set(await make({ default_payment_method: true }), 'true')
      for (const [id, name] of names)
        await pay(core, shop, 5, {
          customer_id: ada,
          payment_method_id: id,
          payment_method: null,
          attrs: { name },
        })
    })

    const found = async (query: string, path = '/payment_methods') => {
      const values = valuesOf(await core.ok('GET', path, undefined, { query }))
      return values.flatMap(({ id }) => names.get(id ?? null) ?? []).sort()
    }

    it('are shown as false at the top, in lists and in nested objects', async () => {
      for (const [id, name] of names) {
        const shown = { default_payment_method: name === 'true' }
        expect(await core.ok('GET', `/payment_methods/${id}`)).to.include(shown)
        expect(
          await core.ok('GET', `/payment_methods/${id}`, undefined, {
            query: 'fields=default_payment_method',
          }),
        ).to.deep.equal(shown)
      }
      const listed = valuesOf(
        await core.ok('GET', '/payment_methods', undefined, { query: `account_id=${ada}` }),
      )
      expect(listed.map((method) => method.default_payment_method)).to.deep.equal([true, false, false])
      const payments = valuesOf(
        await core.ok('GET', '/transactions', undefined, { query: 'fields=payment_method' }),
      )
      for (const { payment_method: method } of payments) {
        const { id, default_payment_method: isDefault } = JSON.parse(JSON.stringify(method))
        expect(isDefault).to.equal(names.get(id) === 'true')
      }
    })

    const cases: readonly [value: string, names: readonly string[]][] = [
      ['false', ['false', 'unset']],
      ['!true', ['false', 'unset']],
      ['null', ['false', 'unset']],
      ['', ['false', 'unset']],
      ['true', ['true']],
      ['!false', ['true']],
      ['!null', ['true']],
      ['!', ['true']],
      ['true|false', ['false', 'true', 'unset']],
      ['true|null', ['false', 'true', 'unset']],
    ]
    for (const [value, expected] of cases) {
      it(`are found as they are shown: ${value === '' ? 'the empty value' : value}`, async () => {
        expect(await found(`account_id=${ada}&default_payment_method=${value}`)).to.deep.equal(expected)
        const payments = valuesOf(
          await core.ok('GET', '/transactions', undefined, {
            query: `payment_method[default_payment_method]=${value}&fields=attrs`,
          }),
        )
        expect(payments.map(({ attrs }) => JSON.parse(JSON.stringify(attrs)).name).sort()).to.deep.equal(
          expected,
        )
      })
    }

    it('form one group with false, and are counted there', async () => {
      const query = `account_id=${ada}&fields=default_payment_method,count(*),count(default_payment_method)&group_by=default_payment_method`
      const groups = valuesOf(await core.ok('GET', '/payment_methods', undefined, { query }))
      const group = (isDefault: boolean, count: number) => ({
        default_payment_method: isDefault,
        'count(*)': count,
        'count(default_payment_method)': count,
      })
      expect(groups).to.deep.equal([group(false, 2), group(true, 1)])
    })

    it('sort together with false on every page', async () => {
      for (const [order, expected] of [
        ['default_payment_method,id', ['unset', 'false', 'true']],
        ['desc(default_payment_method),id', ['true', 'unset', 'false']],
      ] as const) {
        const ids: string[] = []
        for (let query = `account_id=${ada}&order_by=${order}&limit=1`; query !== ''; ) {
          const { body, headers } = await core.send('GET', '/payment_methods', undefined, { query })
          ids.push(...valuesOf(body).map(idOf))
          query = decodeURIComponent(/\?(.*)>/.exec(headers.Link ?? '')?.[1] ?? '')
        }
        expect(ids.map((id) => names.get(id))).to.deep.equal(expected)
      }
    })

    it('accept false or null when they are sent back', async () => {
      const [shop] = valuesOf(
        await core.ok('GET', '/processing_accounts', undefined, { query: 'name=Park Books' }),
      )
      const path = `/processing_accounts/${idOf(shop ?? {})}`
      const query = 'fields=is_default'
      expect(await core.ok('GET', path, undefined, { query })).to.deep.equal({ is_default: false })
      await core.ok('PUT', path, { is_default: false })
      await core.ok('PUT', path, { is_default: null })
      const { status, body } = await core.send('PUT', path, { is_default: true })
      expect([status, body.details]).to.deep.equal([400, { is_default: 'Read only' }])
      const others = valuesOf(await core.ok('GET', '/accounts', undefined, { query: 'is_default=false' }))
      expect(others.map(idOf)).to.include(idOf(shop ?? {}))
    })
  })
})
