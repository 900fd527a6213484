import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { contents } from '../../support/files.js'
import { payctl } from './payctl.js'

onDatabases((open) => {
  describe('generated commands', () => {
    let place: Place
    before(async () => {
      place = await open.place()
    })

    it('create, change, show and delete', async () => {
      const created = await payctl(place, [
        'customers',
        'create',
        '--name',
        'Ada',
        '--attrs',
        '{"vip":true}',
        '--json',
      ])
      const { id, attrs } = objectOf(JSON.parse(created.stdout))
      expect(attrs).to.deep.equal({ vip: true })
      const words = ['customers', 'update', String(id), '--email', 'ada@example.com', '--json']
      expect(JSON.parse((await payctl(place, words)).stdout)).to.include({
        name: 'Ada',
        email: 'ada@example.com',
      })
      expect(await payctl(place, ['customers', 'delete', String(id)])).to.include({ exitCode: 0, stderr: '' })
      expect(await payctl(place, ['customers', 'get', String(id)])).to.include({ exitCode: 5, stdout: '' })
    })

    it('create a whole tree from data, with flags overriding it', async () => {
      const input = JSON.stringify(processingAccount())
      const words = ['processing-accounts', 'create', '--data', '-', '--name', 'Laid over', '--json']
      const { exitCode, stdout } = await payctl(place, words, { input })
      expect(exitCode).to.equal(0)
      const made = objectOf(JSON.parse(stdout))
      expect(made).to.include({ name: 'Laid over' })
      expect(objectOf(made.legal_entity)).to.include({ ein: 'xxxxx6789' })
    })

    it('read data in Windows encodings, from files and pipes', async () => {
      const file = join(place.home, 'customer.json')
      const text = '\ufeff{"name":"Zoë"}\r\n'
      const wide = Buffer.from(text, 'utf16le')
      for (const bytes of [Buffer.from(text), wide, Buffer.from(wide).swap16(), wide.subarray(2)]) {
        await writeFile(file, bytes)
        const words = ['customers', 'create', '--json', '--data']
        for (const made of [
          await payctl(place, [...words, file]),
          await payctl(place, [...words, '-'], { input: bytes }),
        ]) {
          expect([made.exitCode, made.stderr]).to.deep.equal([0, ''])
          expect(JSON.parse(made.stdout)).to.include({ name: 'Zoë' })
        }
      }
    })

    it('create a list, or no item of it if one is invalid', async () => {
      const input = JSON.stringify([{ name: 'Good' }, { name: 'Bad', email: 'nowhere' }])
      const { exitCode, stdout, stderr } = await payctl(place, ['customers', 'create', '--data', '-'], {
        input,
      })
      expect({ exitCode, stdout, stderr }).to.deep.equal({
        exitCode: 3,
        stdout: '',
        stderr: 'error: 1.email: Must be valid email\n',
      })
      const found = await payctl(place, ['customers', 'list', '--where', 'name=Good'])
      expect(found).to.deep.equal({ exitCode: 0, stdout: '', stderr: 'Nothing found.\n' })
    })

    it('attach a file by its path', async () => {
      const made = async (path: string, body: object) => {
        const words = ['api', 'POST', path, '--data', '-']
        const { stdout } = await payctl(place, words, { input: JSON.stringify(body) })
        return String(objectOf(JSON.parse(stdout)).id)
      }
      const processing_id = await made('/processing_accounts', processingAccount())
      const customer_id = await made('/customers', { name: 'Ada' })
      const invoice = await made('/invoices', { processing_id, customer_id })
      const path = join(place.home, 'Terms.pdf')
      await writeFile(path, contents.pdf)
      const words = ['invoice-attachments', 'create', '--invoice-id', invoice, '--file', path, '--json']
      const { exitCode, stdout } = await payctl(place, words)
      expect(exitCode).to.equal(0)
      expect(JSON.parse(stdout)).to.include({
        invoice_id: invoice,
        name: 'Terms.pdf',
        content_type: 'application/pdf',
        size: contents.pdf.length,
      })
    })

    it('send any kind of value unchanged', async () => {
      const words = ['api', 'POST', '/customers', '--data', '-']
      const made = objectOf(JSON.parse((await payctl(place, words, { input: '{"name":"Raw"}' })).stdout))
      const found = await payctl(place, ['api', 'GET', `/customers?name=Raw&fields=id`])
      expect(JSON.parse(found.stdout)).to.deep.equal({ object: 'list', values: [{ id: made.id }] })
    })
  })
})
