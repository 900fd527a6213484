import { expect } from 'chai'
import type { JsonObject } from '../../src/schema/json.js'
import { bill, openShop } from '../domain/billing/invoices.js'
import { idOf, openCore, type TestCore } from '../support/core.js'
import { onDatabases } from '../support/databases.js'
import { contents } from '../support/files.js'
import { type HttpService, httpService } from '../support/http.js'

const MIB = 1024 * 1024

describe('files over HTTP', () => {
  onDatabases((open) => {
    let core: TestCore
    let service: HttpService
    let key: string
    let invoice: string
    before(async () => {
      core = await openCore(open)
      invoice = idOf(await bill(await openShop(core), [10]))
      service = await httpService(core.place)
      open.atEnd(() => service.stop())
      key = await service.key()
    })

    const send = async (fields: Record<string, string | Blob | File>, path = '/invoice_attachments') => {
      const body = new FormData()
      for (const [name, value] of Object.entries(fields)) body.append(name, value)
      const headers = { authorization: `Bearer ${key}` }
      const response = await fetch(service.address + path, { method: 'POST', headers, body })
      const answer: JsonObject = JSON.parse(await response.text())
      return { status: response.status, body: answer }
    }
    const attach = async (file: File) => {
      const { status, body } = await send({ invoice_id: invoice, file })
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body
    }
    /** Downloads an attachment from this service by the path of its address, which `change` may alter. */
    const get = async (attachment: JsonObject, change = (path: string) => path) => {
      const { pathname, search } = new URL(String(attachment.url))
      return await fetch(service.address + change(pathname + search))
    }

    it('are parts of a form, and are delivered byte by byte without a key', async () => {
      const attachment = await attach(new File([contents.pdf], 'Rechnung "März".pdf', { type: 'text/html' }))
      expect(attachment).to.include({ name: 'Rechnung "März".pdf', content_type: 'application/pdf' })
      const response = await get(attachment)
      expect(response.status).to.equal(200)
      expect(Buffer.from(await response.arrayBuffer())).to.deep.equal(contents.pdf)
      expect(Object.fromEntries(response.headers)).to.include({
        'content-type': 'application/pdf',
        'content-length': String(contents.pdf.length),
        'content-disposition':
          'attachment; filename="Rechnung _M_rz_.pdf"; filename*=UTF-8\'\'Rechnung%20%22M%C3%A4rz%22.pdf',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'private, no-store',
      })
      const text = await attach(new File([contents.txt], 'Brief.txt'))
      expect((await get(text)).headers.get('content-type')).to.equal('text/plain; charset=utf-8')
    })

    it('can be nested in a tree', async () => {
      const { status, body } = await send(
        {
          'items[0][entry_type]': 'charge',
          'items[0][amount]': '3',
          customer_id: idOf(await core.ok('GET', `/invoices/${invoice}/customer`)),
          'attachments[0][file]': new File([contents.pdf], 'a.pdf'),
          'attachments[1][file]': new File([contents.png], 'b.png'),
          'attachments[1][name]': 'c.png',
        },
        '/invoices?fields=total_due,attachments[name]',
      )
      expect([status, body]).to.deep.equal([
        200,
        { total_due: 3, attachments: [{ name: 'a.pdf' }, { name: 'c.png' }] },
      ])
    })

    it('are not delivered at a changed address', async () => {
      const attachment = await attach(new File([contents.pdf], 'a.pdf'))
      const other = await attach(new File([contents.pdf], 'b.pdf'))
      const changes: ((path: string) => string)[] = [
        (path) => path.replace(idOf(attachment), idOf(other)),
        (path) => path.replace('/test/', '/live/'),
        (path) => path.replace('/test/', '/other/'),
        (path) => path.replace(/until=[\d-]+/, 'until=2999-12-31'),
        (path) => path.replace(/until=[\d-]+&/, ''),
        (path) => path.replace(/signature=.*/, ''),
        (path) => path.split('?', 1)[0] ?? '',
        (path) => path.replace(/att_\w+/, 'x'.repeat(90)),
        (path) => path.replace(/att_\w+/, '..%2f..%2ftest.db'),
      ]
      for (const change of changes) {
        const response = await get(attachment, change)
        const answer: JsonObject = JSON.parse(await response.text())
        expect([response.status, answer.error_type, answer.error_description], String(change)).to.deep.equal([
          404,
          'NotFound',
          'There is no such file, or its address has expired',
        ])
      }
      const path = new URL(String(attachment.url)).pathname
      expect((await fetch(service.address + path, { method: 'POST' })).status).to.equal(401)
      await core.ok('DELETE', `/invoice_attachments/${idOf(attachment)}`)
      expect((await get(attachment)).status).to.equal(404)
    })

    it('may have the maximum size, but not more', async () => {
      const ofSize = (bytes: number) =>
        new File([contents.pdf, Buffer.alloc(bytes - contents.pdf.length)], 'a.pdf')
      const whole = await attach(ofSize(10 * MIB))
      expect(whole.size).to.equal(10 * MIB)
      expect((await (await get(whole)).arrayBuffer()).byteLength).to.equal(10 * MIB)
      const larger = await send({ invoice_id: invoice, file: ofSize(10 * MIB + 1) })
      expect([larger.status, larger.body.details]).to.deep.equal([400, { file: 'Must be at most 10 MiB' }])
      const tooLarge = await send({ invoice_id: invoice, file: ofSize(11 * MIB) })
      expect([tooLarge.status, tooLarge.body.error_description]).to.deep.equal([
        413,
        'The body may have at most 11534336 bytes',
      ])
    })

    it('are refused if no attribute accepts a file', async () => {
      const file = new File([contents.pdf], 'a.pdf')
      const unknown = await send({ name: 'Ada', file }, '/customers')
      expect([unknown.status, unknown.body.details]).to.deep.equal([400, { file: 'Unknown attribute' }])
    })
  })
})
