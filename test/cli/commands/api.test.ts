import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openCore, type TestCore } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { card, makeProcessing } from '../../support/examples.js'
import { payctl } from './payctl.js'

onSqlite((open) => {
  describe('payctl api', () => {
    let core: TestCore
    let shop: string
    const run = async (...words: string[]) => await payctl(core.place, ['api', ...words])
    const json = async (...words: string[]) => {
      const { exitCode, stdout, stderr } = await run(...words)
      expect(exitCode, stderr).to.equal(0)
      return JSON.parse(stdout)
    }

    before(async () => {
      core = await openCore(open)
      shop = await makeProcessing(core)
    })

    it('accepts lower-case methods, form fields and parameters', async () => {
      const fields = ['-d', 'type=payment', '-d', 'amount=12.50', '-d', `processing_id=${shop}`]
      const card = [
        '-d',
        'payment_method[type]=card',
        '-d',
        'payment_method[card][card_number]=4242424242424242',
      ]
      const paid = await json(
        'post',
        '/transactions',
        ...fields,
        ...card,
        '-d',
        'payment_method.card.expiry=12/39',
      )
      expect(paid).to.include({ object: 'transaction', amount: 12.5, status: 'processed' })
      const found = await json(
        '-q',
        'amount=>=12.5',
        'get',
        '/transactions?fields=id',
        '-q',
        'status=processed',
      )
      expect(found).to.deep.equal({ object: 'list', values: [{ id: paid.id }] })
      const made = await json(
        'Post',
        '/customers',
        '-d',
        'name=a=b',
        '-d',
        'attrs[tags][]=x',
        '-d',
        'attrs[tags][]=y',
      )
      expect(made).to.deep.include({ name: 'a=b', attrs: { tags: ['x', 'y'] } })
      expect(await json('put', `/customers/${made.id}`, '-d', 'name=Ada')).to.include({ name: 'Ada' })
      expect(await json('delete', `/customers/${made.id}`)).to.include({ id: made.id })
    })

    it('lets fields override values of a file', async () => {
      const file = join(core.place.home, 'payment.json')
      const payment = { type: 'payment', amount: 1, processing_id: shop, payment_method: card() }
      writeFileSync(file, JSON.stringify(payment))
      for (const named of [`@${file}`, file]) {
        const over = [
          '-d',
          'amount=7',
          '-d',
          'payment_method.card.expiry=11/38',
          '--fields',
          '*,payment_method',
        ]
        const paid = await json('post', '/transactions', '-d', named, ...over)
        expect(paid).to.include({ amount: 7 })
        expect(paid.payment_method.card).to.include({ card_number: 'xxxxxxxxxxxx4242', expiry: '11/38' })
      }
    })

    it('follows pages to the end, whatever their size, also for nested lists', async () => {
      for (let number = 0; number < 7; number++)
        await core.ok('POST', '/customers', { name: `Page ${number}` })
      const pages = ['get', '/customers?name=?Page*&order_by=name', '-q', 'limit=2', '--paginate']
      const { object, values } = await json(...pages)
      expect(object).to.equal('list')
      expect(values.map(({ name }: { name: string }) => name)).to.deep.equal(
        Array.from({ length: 7 }, (_, number) => `Page ${number}`),
      )
      const lines = (await run(...pages, '-o', 'ndjson', '--jq', '.name')).stdout
      expect(lines.split('\n')).to.have.length(8)
      expect(await json('get', `/accounts/${shop}`, '--paginate')).to.include({ id: shop })
    })

    it('refuses an invalid request and names the problem', async () => {
      const said = async (...words: string[]) => {
        const { exitCode, stdout, stderr } = await run(...words)
        expect({ exitCode, stdout }).to.deep.equal({ exitCode: 2, stdout: '' })
        return stderr
      }
      expect(await said('fetch', '/customers')).to.contain('Expected GET, POST, PUT, DELETE as the method')
      expect(await said('get', '/customers', '-d', 'name=Ada')).to.contain('-q <name>=<value>')
      expect(await said('get', '/customers', '-q', 'limit')).to.contain('received: limit')
      expect(await said('post', '/customers', '--paginate')).to.contain('Only what GET answers')
      expect(await said('post', '/customers', '-d', 'name=a', '-d', 'name[b]=c')).to.contain(
        'both as a value',
      )
      expect(await said('post', '/customers', '-d', '@nowhere.json')).to.contain('cannot be read (ENOENT)')
      expect(await said('post', '/customers', '-d', '@a', '-d', '@b')).to.contain('Expected one file')
    })
  })
})
