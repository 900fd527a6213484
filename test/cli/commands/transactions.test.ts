import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { listOf, objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { payctl, type Typed } from './payctl.js'

const CARD = ['--card', '4242424242424242', '--expiry', '12/39']

onDatabases('story', (open) => {
  describe('payctl transactions', () => {
    let place: Place
    before(async () => {
      place = await open.place()
    })

    const run = (words: readonly string[], typed?: Typed) => payctl(place, words, typed)
    const json = async (words: readonly string[], typed?: Typed): Promise<JsonObject> => {
      const { exitCode, stdout, stderr } = await run([...words, '--json'], typed)
      expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' })
      return objectOf(JSON.parse(stdout))
    }
    const pay = async (...more: string[]) =>
      await json(['transactions', 'pay', ...CARD, '--amount', '29.99', ...more])

    it('takes a payment, refunds a part of it and shows the ledger', async () => {
      const payment = await pay()
      expect(payment).to.include({ type: 'payment', amount: 29.99, status: 'processed' })
      const refund = await json(['transactions', 'refund', String(payment.id), '--amount', '9.99'])
      expect(refund).to.include({ type: 'refund', amount: 9.99 })
      const { values } = await json(['transactions', 'ledger', String(payment.id)])
      const [entry] = listOf(values)
      expect(objectOf(entry)).to.include({
        entry_type: 'refund',
        amount: -9.99,
        assoc_transaction_id: refund.id ?? null,
      })
    })

    it('shows the value of a nested attribute in groups, in tables and CSV', async () => {
      await pay()
      const other = ['--card', '5555555555554444', '--expiry', '12/39', '--amount', '3']
      await json(['transactions', 'pay', ...other])
      const grouped = ['transactions', 'list', '--count', '--group-by', 'payment_method.card.card_brand']
      const { stdout: csv } = await run([...grouped, '-o', 'csv'])
      const [, ...groups] = csv.trimEnd().split('\n')
      expect(groups.map((line) => line.split(',')[0])).to.have.members(['mastercard', 'visa'])
      const { stdout: table } = await run(grouped)
      expect(table)
        .to.match(/^mastercard +\d+$/m)
        .and.match(/^visa +\d+$/m)
    })

    it('refunds the whole amount if no amount is given', async () => {
      const payment = await pay()
      expect(await json(['transactions', 'refund', String(payment.id)])).to.include({
        type: 'refund',
        amount: 29.99,
      })
    })

    it('captures a part, and an amount that no invoice explains only with a flag', async () => {
      const authorized = await pay('--authorize')
      const part = ['transactions', 'capture', String(authorized.id), '--amount', '12.50']
      expect(await json([...part, '--dry-run'])).to.include({ status: 'processed', amount: 12.5 })
      expect(await json(part)).to.include({ status: 'processed', amount: 12.5 })
      expect(
        await json(['transactions', 'get', String(authorized.id), '--fields', 'amount,authorized_amount']),
      ).to.include({ amount: 12.5, authorized_amount: 29.99 })

      const customer = String((await json(['customers', 'create', '--name', 'Ada Park'])).id)
      const invoice = String((await json(['invoices', 'create', '--customer-id', customer])).id)
      const item = ['line-items', 'create', '--invoice-id', invoice, '--amount', '30']
      await json([...item, '--entry-type', 'charge'])
      const held = String((await json(['invoices', 'pay', invoice, ...CARD, '--authorize'])).id)
      await json([...item, '--entry-type', 'payment'])
      const refused = await run(['transactions', 'capture', held])
      expect(refused.exitCode).to.equal(6)
      expect(refused.stderr).to.include(`${invoice} has 0.00 left to pay`)
      expect(await json(['transactions', 'capture', held, '--allow-unallocated'])).to.include({
        status: 'processed',
      })
    })

    it('authorizes, captures and voids', async () => {
      const authorized = await pay('--authorize')
      expect(authorized).to.include({ status: 'authorized' })
      expect(await json(['transactions', 'capture', String(authorized.id)])).to.include({
        status: 'processed',
      })
      expect(await json(['transactions', 'void', String(authorized.id)])).to.include({ status: 'voided' })
    })

    it('reads secrets from standard input and from variables', async () => {
      const words = ['transactions', 'pay', '--amount', '1', '--expiry', '12/39']
      const stdin = await json([...words, '--card', '-', '--card-code', '-'], {
        input: '4242424242424242\n123\n',
      })
      expect(stdin).to.include({ status: 'processed' })
      const variables = { PAYCTL_CARD_NUMBER: '5555555555554444' }
      const { payment_method } = await json(words, { variables })
      expect(objectOf(objectOf(payment_method).card)).to.include({ card_number: 'xxxxxxxxxxxx4444' })
    })

    it('shows the expected result in a dry run and writes no row', async () => {
      const would = await pay('--dry-run', '--order-number', 'dry')
      expect(would).to.include({ status: 'processed', fee: 1.17 })
      expect((await json(['transactions', 'list', '--where', 'order_number=dry'])).values).to.deep.equal([])
    })

    it('runs a write once per idempotency key', async () => {
      const first = await pay('--idempotency-key', 'a')
      const second = await pay('--idempotency-key', 'a')
      expect(second.id).to.equal(first.id)
    })

    it('shows one object as aligned lines and a list as a table, both without colour in a pipe', async () => {
      const payment = await pay('--order-number', 'shown')
      const one = await run(['transactions', 'get', String(payment.id)])
      expect(one.stdout)
        .to.match(/^amount +29\.99$/m)
        .and.match(/^ {4}card_number +x{12}4242$/m)
      const list = await run([
        'transactions',
        'list',
        '--where',
        'order_number=shown',
        '--fields',
        'id,amount,status',
      ])
      expect(list.stdout.split('\n').map((line) => line.split(/ {2,}/))).to.deep.equal([
        ['ID', 'AMOUNT', 'STATUS'],
        [payment.id, '29.99', 'processed'],
        [''],
      ])
    })

    it('filters, orders, pages and counts', async () => {
      await pay('--order-number', 'p', '--description', 'first')
      await pay('--order-number', 'p', '--description', 'second')
      const words = ['transactions', 'list', '--where', 'order_number=p', '--where', 'created_at=>yesterday']
      const page = await run([...words, '--order-by', 'id', '--limit', '1', '--offset', '1', '--json'])
      const { values } = objectOf(JSON.parse(page.stdout))
      expect(listOf(values).map((value) => objectOf(value).description)).to.deep.equal(['second'])
      expect(page.stderr).to.equal('')
      expect(await run([...words, '--count'])).to.deep.equal({ exitCode: 0, stdout: '2\n', stderr: '' })
      const figures = await run([...words, '--group-by', 'status', '--count', '--sum', 'amount', '-o', 'csv'])
      expect(figures.stdout).to.equal('status,count(*),sum(amount)\nprocessed,2,59.98\n')
    })

    describe('refused requests', () => {
      it('name the attribute with the reason of a decline if the output leaves it out', async () => {
        const card = ['--card', '4111111111119904', '--expiry', '12/39']
        const decline = async (...more: string[]) => {
          const { exitCode, stderr } = await run(['transactions', 'pay', '--amount', '5', ...card, ...more])
          return [exitCode, stderr.split('\n').at(-2)]
        }
        expect(await decline('--fields', 'amount')).to.deep.equal([
          7,
          'error: Declined; status_message, which was not requested, has the reason',
        ])
        const [, named] = await decline('--columns', 'id')
        expect(named).to.match(
          /^error: Declined; status_message, .* has the reason\. It is stored as txn_\w{22}$/,
        )
        const [code, dry] = await decline('--dry-run')
        expect(code).to.equal(7)
        expect(dry).to.match(/^error: Declined: .* \(insufficient_bal\)\. Nothing is stored$/)
      })

      it('exit with 7 for a decline, and show the state of the payment', async () => {
        const words = [
          'transactions',
          'pay',
          '--amount',
          '5',
          '--card',
          '4111111111119904',
          '--expiry',
          '12/39',
        ]
        const plain = await run(words)
        expect(plain).to.include({ exitCode: 7, stdout: '' })
        expect(plain.stderr).to.match(
          /^Warning: .* show what --card was given.*\nerror: Declined: .* \(insufficient_bal\)\. It is stored as txn_\w{22}\n$/,
        )
        const { exitCode, stdout, stderr } = await run([...words, '--json'])
        expect({ exitCode, stdout }).to.deep.equal({ exitCode: 7, stdout: '' })
        expect(JSON.parse(stderr)).to.include({
          object: 'error',
          error_type: 'TransactionDeclined',
          exit_code: 7,
        })
      })

      it('name each attribute on its own line, and exit with 3', async () => {
        const words = [
          'transactions',
          'pay',
          '--amount',
          '5',
          '--card',
          '4242424242424241',
          '--expiry',
          '13/39',
        ]
        const { exitCode, stdout, stderr } = await run(words)
        expect({ exitCode, stdout }).to.deep.equal({ exitCode: 3, stdout: '' })
        const [warning, ...errors] = stderr.trim().split('\n')
        expect(warning).to.include('show what --card was given')
        expect(errors).to.have.members([
          'error: --card: Must be valid card number',
          'error: --expiry: Must be valid expiry, MM/YY',
        ])
      })

      it('exit with 5 for an unknown object', async () => {
        const { exitCode, stdout, stderr } = await run(['transactions', 'get', 'txn_none', '--json'])
        expect({ exitCode, stdout }).to.deep.equal({ exitCode: 5, stdout: '' })
        expect(JSON.parse(stderr)).to.include({ error_type: 'NotFound', exit_code: 5 })
      })

      it('move no money in live without a confirmation', async () => {
        const { exitCode, stderr } = await run([
          'transactions',
          'pay',
          '--amount',
          '1',
          '--customer',
          'acct_x',
          '--env',
          'live',
        ])
        expect({ exitCode, stderr }).to.deep.equal({
          exitCode: 2,
          stderr: 'error: Money would move in the live environment: add --confirm live\n',
        })
      })
    })
  })
})
