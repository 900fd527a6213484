import { expect } from 'chai'
import { readInput } from '../../../src/model/input/read-input.js'
import { Model } from '../../../src/model/model.js'
import { resources } from '../../../src/resources/resource-table.js'
import { CARD_NAME_PROBLEM, CARD_NUMBER_PROBLEM } from '../../../src/schema/card-data.js'
import type { Fields } from '../../../src/schema/field.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { registryOf } from '../../../src/schema/registry.js'
import { attributesOf } from '../../../src/schema/resource.js'
import { Checkout } from '../../domain/access/checkout.js'
import { onDatabases } from '../../support/databases.js'
import { eachCase } from '../../support/each-case.js'
import { card } from '../../support/examples.js'

const CARD = '4242 4242 4242 4242'
const model = new Model(registryOf(resources))

/** Paths of the attributes that keep a text unchanged. */
function keptTexts(fields: Fields, path: readonly string[] = []): string[][] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.readonly || field.transient) return []
    if (field.kind === 'group') return keptTexts(field.fields, [...path, name])
    if (field.kind === 'text' && (field.max ?? CARD.length) < CARD.length) return []
    return field.kind === 'text' || field.kind === 'json' ? [[...path, name]] : []
  })
}

describe('card data in the attributes of any resource', () => {
  it('is refused in every text attribute of new and changed objects', async () => {
    const cases = Object.values(resources).flatMap((resource) =>
      keptTexts(attributesOf(resource)).flatMap((path) =>
        (['create', 'update'] as const).map((mode) => ({ resource, path, mode })),
      ),
    )
    await eachCase(
      cases,
      ({ resource, path, mode }) => `${mode} ${resource.name} ${path.join('.')}`,
      ({ resource, path, mode }) => {
        const input = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), CARD)
        const result = readInput(model.get(resource.name), { mode, manage: true }, input)
        const issues = result.error?.issues.filter((issue) => issue.path.join('.') === path.join('.'))
        expect(issues?.map(({ message }) => message)).to.deep.equal([CARD_NUMBER_PROBLEM])
      },
    )
  })
})

onDatabases((open) => {
  describe('card data', () => {
    let checkout: Checkout
    before(async () => {
      checkout = await Checkout.open(open)
      open.atEnd(() => checkout.service.stop())
    })

    const refusals: [what: string, sent: JsonObject, details: JsonObject][] = [
      ['a description', { description: `paid with ${CARD}` }, { description: CARD_NUMBER_PROBLEM }],
      ['an order number', { order_number: '4242424242424242' }, { order_number: CARD_NUMBER_PROBLEM }],
      ['a text inside attrs', { attrs: { a: [{ note: `${CARD} 12/39` }] } }, { attrs: CARD_NUMBER_PROBLEM }],
      ['a number inside attrs', { attrs: { a: 4242424242424242 } }, { attrs: CARD_NUMBER_PROBLEM }],
      ['a name inside attrs', { attrs: { [CARD]: 1 } }, { attrs: CARD_NUMBER_PROBLEM }],
      ['a CVV inside attrs', { attrs: { deep: { CardCode: '123' } } }, { attrs: CARD_NAME_PROBLEM }],
      [
        'an account holder',
        { payment_method: { ...card(), account_holder: CARD } },
        { payment_method: { account_holder: CARD_NUMBER_PROBLEM } },
      ],
      ['the name of an unknown attribute', { [CARD]: 1 }, { 'xxxx xxxx xxxx xxxx': 'Unknown attribute' }],
    ]
    for (const [what, sent, details] of refusals)
      it(`is refused as ${what}, and does not appear in the answer`, async () => {
        const { status, body } = await checkout.pay(checkout.secret, sent)
        expect([status, body.error_type, body.details]).to.deep.equal([400, 'InvalidAttributes', details])
        expect(JSON.stringify(body)).not.to.match(/4242 ?4242/)
      })

    it('is refused in input of operators; rows of a batch may have it only in the card attributes', async () => {
      const { service, manager, shop } = checkout
      const maintenance = { enabled: true, message: CARD }
      expect(await service.ask(manager, 'PUT', '/admin/maintenance', maintenance)).to.deep.include({
        status: 400,
      })
      const begun = { id: 'cards.csv', as: 'payment', content: 'c0ffee', rows: 3 }
      expect(
        (await service.ask(manager, 'POST', '/admin/batches', { ...begun, id: CARD })).body.details,
      ).to.deep.equal({ id: CARD_NUMBER_PROBLEM })
      expect(await service.ask(manager, 'POST', '/admin/batches', begun)).to.deep.include({ status: 200 })
      const pays = { amount: 5, processing_id: shop, payment_method: card() }
      const rows: JsonObject[] = [
        { row: 2, body: pays },
        { row: 3, body: { ...pays, description: CARD } },
        { row: 4, body: {}, error: `Expected an amount, but received: ${CARD}` },
      ]
      const { body } = await service.ask(manager, 'POST', '/admin/batches/rows', {
        id: begun.id,
        as: begun.as,
        rows,
      })
      expect(body.rows).to.have.length(3)
      expect(JSON.stringify(body)).not.to.match(/4242 ?4242/)
      expect(body).to.deep.nested.include({
        'rows[0].status': 'done',
        'rows[1].error': `description: ${CARD_NUMBER_PROBLEM}`,
        'rows[2].error': 'Expected an amount, but received: xxxxxxxxxxxx4242',
      })
    })

    it('is refused as an idempotency key', async () => {
      const { service, secret } = checkout
      const headers = {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/json',
        'idempotency-key': '4242-4242-4242-4242',
      }
      const response = await fetch(`${service.address}/customers`, {
        method: 'POST',
        headers,
        body: '{"name":"Ada"}',
      })
      const answer = await response.text()
      expect(response.status).to.equal(400)
      expect(answer).to.include('must not hold a card number').and.not.include('4242')
    })

    it('stored by an older version is still shown, and its object can be changed', async () => {
      const { service, secret, customer } = checkout
      const { core } = await service.app.environment('test')
      await core.write(async (work) => {
        await work.change(resources.account, customer, { description: CARD })
      })
      expect((await service.ask(secret, 'GET', `/customers/${customer}`)).body.description).to.equal(CARD)
      const { status, body } = await service.ask(secret, 'PUT', `/customers/${customer}`, {
        name: 'Ada Park',
      })
      expect([status, body.name, body.description]).to.deep.equal([200, 'Ada Park', CARD])
    })
  })
})
