import { expect } from 'chai'
import { openAttachment } from '../../../src/domain/attachments/open-attachment.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, list, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { contents, dataUrl } from '../../support/files.js'
import { rejection } from '../../support/rejection.js'
import { bill, openShop, type Shop } from '../billing/invoices.js'

const MIB = 1024 * 1024

describe('attachments of an invoice or a payment link', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    let invoice: string
    before(async () => {
      core = await openCore(open, { publicAddress: 'https://pay.example.com' })
      shop = await openShop(core)
      invoice = idOf(await bill(shop, [10]))
    })
    const attach = async (more: JsonObject = {}) =>
      await core.ok('POST', '/invoice_attachments', {
        invoice_id: invoice,
        file: dataUrl('Report.pdf', contents.pdf),
        ...more,
      })
    const refused = async (body: JsonObject) => {
      const answer = await core.send('POST', '/invoice_attachments', { invoice_id: invoice, ...body })
      return [answer.status, answer.body.details]
    }
    /** Opens an attachment at its public address. */
    const opened = async ({ url }: JsonObject) => {
      const { pathname, searchParams } = new URL(String(url))
      const address = {
        id: pathname.split('/').at(-1) ?? '',
        until: searchParams.get('until') ?? undefined,
        signature: searchParams.get('signature') ?? '',
      }
      const { read } = core.environment.core
      return await read((work) => openAttachment(work, address))
    }
    const stored = async () => {
      const handle = core.environment.core
      return await handle.read(
        async ({ tx }) => await tx.db.selectFrom('attachment_contents').select('id').execute(),
      )
    }

    it('are stored unchanged, and readable at an address without a key', async () => {
      const attachment = await attach({ attrs: { order: 7 } })
      expect(attachment).to.include({
        object: 'invoice_attachment',
        invoice_id: invoice,
        payment_link_id: null,
        name: 'Report.pdf',
        content_type: 'application/pdf',
        size: contents.pdf.length,
      })
      expect(attachment).to.not.have.property('file')
      expect(attachment.url).to.match(/^https:\/\/pay\.example\.com\/files\/test\/att_\w+\?until=/)
      expect(`${String(attachment.url).match(/until=([\d-]+)/)?.[1]} 00:00:00`).to.equal(
        attachment.expires_at,
      )
      expect(await opened(attachment)).to.deep.equal({
        name: 'Report.pdf',
        contentType: 'application/pdf',
        bytes: contents.pdf,
      })
      expect(await core.ok('GET', `/invoice_attachments/${idOf(attachment)}`)).to.deep.equal(attachment)
      const listed = await core.ok('GET', `/invoices/${invoice}/attachments`)
      expect(valuesOf(listed)).to.deep.equal([attachment])
    })

    it('are readable at no other address', async () => {
      const attachment = await attach()
      const other = await attach({ file: dataUrl('b.txt', contents.txt) })
      const url = String(attachment.url)
      for (const wrong of [
        url.replace(idOf(attachment), idOf(other)),
        url.replace(/until=[\d-]+/, 'until=2999-01-01'),
        url.replace(/signature=.*/, 'signature='),
      ])
        expect(await opened({ url: wrong }), wrong).to.equal(undefined)
      expect(await opened(attachment)).to.include({ name: 'Report.pdf' })
    })

    it('can have their addresses ended and renewed', async () => {
      const attachment = await attach()
      await core.ok('POST', '/admin/clock', { by: '9d' })
      expect(await opened(attachment)).to.equal(undefined)
      const again = await core.ok('GET', `/invoice_attachments/${idOf(attachment)}`)
      expect(again).to.deep.equal({ ...attachment, url: again.url, expires_at: again.expires_at })
      expect(await opened(again)).to.include({ name: 'Report.pdf' })
    })

    it('can be created with the invoice or below its path, one or many', async () => {
      const pdf = dataUrl('a.pdf', contents.pdf)
      const txt = dataUrl('a.txt', contents.txt)
      const made = await bill(shop, [5], { attachments: [{ file: pdf }, { file: txt, name: 'b.txt' }] })
      const path = `/invoices/${idOf(made)}/attachments`
      const below = await core.ok('POST', path, { file: dataUrl('c.csv', contents.csv) })
      expect(below).to.include({ invoice_id: idOf(made), content_type: 'text/csv' })
      const names = async () => {
        const query = 'fields=attachments[name],attachments[id]'
        const { attachments } = await core.ok('GET', `/invoices/${idOf(made)}`, undefined, { query })
        return Array.isArray(attachments) ? attachments : []
      }
      const [first, second, third] = (await names()).map((value) => JSON.parse(JSON.stringify(value)))
      expect([first.name, second.name, third.name]).to.deep.equal(['a.pdf', 'b.txt', 'c.csv'])
      await core.ok('PUT', `/invoices/${idOf(made)}`, { attachments: [{ id: third.id }, { file: pdf }] })
      expect((await names()).map((value) => JSON.parse(JSON.stringify(value)).name)).to.deep.equal([
        'c.csv',
        'a.pdf',
      ])
      expect((await stored()).map(({ id }) => id)).to.not.include.members([first.id, second.id])
      const both = await core.ok(
        'POST',
        '/invoice_attachments',
        list([
          { invoice_id: invoice, file: pdf },
          { invoice_id: invoice, file: txt },
        ]),
      )
      expect(valuesOf(both).map(({ name }) => name)).to.deep.equal(['a.pdf', 'a.txt'])
    })

    it('can belong to a payment link instead of an invoice, but not to both', async () => {
      const body = { processing_id: shop.processing, amount: 10, description: 'Books' }
      const link = idOf(await core.ok('POST', '/payment_links', body))
      const file = dataUrl('a.pdf', contents.pdf)
      const attachment = await core.ok('POST', `/payment_links/${link}/attachments`, { file })
      expect(attachment).to.include({ payment_link_id: link, invoice_id: null })
      expect(await refused({ payment_link_id: link, file })).to.deep.equal([
        400,
        { payment_link_id: 'Must not be sent with invoice_id' },
      ])
      expect(await refused({ invoice_id: null, file })).to.deep.equal([
        400,
        { invoice_id: 'Required, or payment_link_id', payment_link_id: 'Required, or invoice_id' },
      ])
      expect(await refused({ invoice_id: 'inv_nobody', file })).to.deep.equal([
        400,
        { invoice_id: 'Not found' },
      ])
      await core.ok('DELETE', `/payment_links/${link}`)
    })

    it('are named by the sender, by the file, or by their media type', async () => {
      const file = (name: string | undefined) => dataUrl(name, contents.png)
      const names: [sent: JsonObject, name: string][] = [
        [{ file: file('Logo.PNG') }, 'Logo.PNG'],
        [{ file: file('Logo.PNG'), name: 'other.png' }, 'other.png'],
        [{ file: file(undefined) }, 'attachment.png'],
        [{ file: file('C:\\Users\\ada\\Logo.png') }, 'Logo.png'],
        [{ file: file('../../etc/Logo.png') }, 'Logo.png'],
        [{ file: file('Lo\u202ego\r\n.png') }, 'Logo.png'],
        [{ file: file('Größe – 漢字 🙂.png') }, 'Größe – 漢字 🙂.png'],
        [{ file: { type: 'Buffer', data: [...contents.png] } }, 'attachment.png'],
      ]
      for (const [sent, name] of names)
        expect(await attach(sent), name).to.include({ name, content_type: 'image/png' })
      const long = await attach({ file: file(`${'x'.repeat(1000)}.png`) })
      expect(long.name).to.equal(`${'x'.repeat(251)}.png`)
    })

    it('have an accepted type, decided by their extension alone', async () => {
      const problem = {
        file: 'Must be one of: csv, docx, gif, jpeg, jpg, ods, odt, pdf, png, txt, webp, xlsx',
      }
      const page = Buffer.from('<html><script>alert(1)</script></html>')
      for (const file of [dataUrl('a.html', page), dataUrl('a.svg', page), dataUrl('report', contents.pdf)])
        expect(await refused({ file }), file).to.deep.equal([400, problem])
      expect(await refused({ file: dataUrl('a.pdf', contents.pdf), name: 'a.html' })).to.deep.equal([
        400,
        problem,
      ])
      for (const content of [page, contents.png])
        expect(await attach({ file: dataUrl('a.pdf', content) })).to.include({
          content_type: 'application/pdf',
        })
    })

    it('are complete, not empty and not too large', async () => {
      const whole = dataUrl(
        'a.pdf',
        Buffer.concat([contents.pdf, Buffer.alloc(10 * MIB - contents.pdf.length)]),
      )
      expect(await attach({ file: whole })).to.include({ size: 10 * MIB })
      const larger = Buffer.concat([contents.pdf, Buffer.alloc(10 * MIB)])
      const problems: [file: JsonObject | string | number | null, problem: string][] = [
        [dataUrl('a.pdf', larger), 'Must be at most 10 MiB'],
        [dataUrl('a.pdf', Buffer.from('')), 'Must not be empty'],
        [dataUrl('a.pdf', contents.pdf).slice(0, -3), 'Must be a whole file'],
        [null, 'Required'],
        ['', 'Required'],
        ['a.pdf', 'Must be a file: a part of a multipart form or a data: URL'],
        [7, 'Must be a file: a part of a multipart form or a data: URL'],
        [{ type: 'Buffer', data: [256] }, 'Must be a file: a part of a multipart form or a data: URL'],
      ]
      for (const [file, problem] of problems)
        expect(await refused({ file }), problem).to.deep.equal([400, { file: problem }])
      expect(await refused({})).to.deep.equal([400, { file: 'Required' }])
      const named = dataUrl('4242 4242 4242 4242.pdf', contents.pdf)
      expect(await refused({ file: named })).to.deep.equal([400, { name: 'Must not hold a card number' }])
    })

    it('have a configurable size limit', async () => {
      const strict = await openCore(open, { attachmentBytes: MIB / 2 })
      const id = idOf(await bill(await openShop(strict), [10]))
      const file = (bytes: number) => dataUrl('a.txt', Buffer.alloc(bytes, 'a'))
      const path = `/invoices/${id}/attachments`
      expect(await strict.ok('POST', path, { file: file(MIB / 2) })).to.include({ size: MIB / 2 })
      const { status, body } = await strict.send('POST', path, { file: file(MIB / 2 + 1) })
      expect([status, body.details]).to.deep.equal([400, { file: 'Must be at most 0.5 MiB' }])
    })

    it('keep their content, and a name with a valid extension', async () => {
      const attachment = await attach()
      const path = `/invoice_attachments/${idOf(attachment)}`
      expect(await core.ok('PUT', path, { ...attachment, name: 'Renamed.PDF' })).to.include({
        name: 'Renamed.PDF',
        content_type: 'application/pdf',
      })
      const changes: [JsonObject, JsonObject][] = [
        [{ name: 'Renamed.html' }, { name: 'Must be the name of a file of type application/pdf' }],
        [{ name: null }, { name: 'Required' }],
        [{ file: dataUrl('b.pdf', contents.pdf) }, { file: 'Read only' }],
        [{ content_type: 'text/html' }, { content_type: 'Read only' }],
        [{ size: 1 }, { size: 'Read only' }],
        [{ invoice_id: 'inv_other' }, { invoice_id: 'Read only' }],
      ]
      for (const [change, details] of changes) {
        const { status, body } = await core.send('PUT', path, change)
        expect([status, body.details], JSON.stringify(change)).to.deep.equal([400, details])
      }
    })

    it('leave no content behind when they are deleted', async () => {
      const before = await stored()
      const file = dataUrl('a.pdf', contents.pdf)
      await core.send('POST', '/invoice_attachments', { invoice_id: invoice, file }, { dryRun: true })
      await refused({ file, attrs: { a: '\0' } })
      expect(await stored()).to.deep.equal(before)
      const attachment = await attach()
      await core.ok('DELETE', `/invoice_attachments/${idOf(attachment)}`)
      expect(await opened(attachment)).to.equal(undefined)
      const passing = await bill(shop, [3], { attachments: [{ file }] })
      await core.ok('DELETE', `/invoices/${idOf(passing)}`)
      const link = { processing_id: shop.processing, amount: 10, description: 'Books', attachments: { file } }
      await core.ok('DELETE', `/payment_links/${idOf(await core.ok('POST', '/payment_links', link))}`)
      expect(await stored()).to.deep.equal(before)
    })

    it('are not delivered if they differ from what was stored', async () => {
      const attachment = await attach()
      const handle = core.environment.core
      await handle.write(
        async ({ tx }) =>
          await tx.db
            .updateTable('attachment_contents')
            .set({ content: contents.gif })
            .where('id', '=', idOf(attachment))
            .execute(),
      )
      expect(await rejection(opened(attachment))).to.have.property(
        'message',
        `The attachment ${idOf(attachment)} is not what was stored`,
      )
    })

    it('are created once per idempotency key, and another file under it is refused', async () => {
      const body = { invoice_id: invoice, file: dataUrl('a.pdf', contents.pdf) }
      const idempotencyKey = 'attach'
      const first = await core.ok('POST', '/invoice_attachments', body, { idempotencyKey })
      expect(await core.ok('POST', '/invoice_attachments', body, { idempotencyKey })).to.deep.equal(first)
      const other = { ...body, file: dataUrl('a.pdf', Buffer.concat([contents.pdf, contents.pdf])) }
      expect((await core.send('POST', '/invoice_attachments', other, { idempotencyKey })).status).to.equal(
        422,
      )
    })
  })
})
