import { expect } from 'chai'
import { ApiError } from '../../../src/engine/core/request/api-error.js'
import { LIMITS } from '../../../src/http/api/http-limits.js'
import { parseMultipart } from '../../../src/http/api/multipart.js'

const TYPE = 'multipart/form-data; boundary=xyz'

const part = (headers: string, value: string) => `--xyz\r\n${headers}\r\n\r\n${value}\r\n`
const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value)
const END = '--xyz--\r\n'

const read = (text: string, type = TYPE) => parseMultipart(type, Buffer.from(text), LIMITS)

async function refusal(text: string, type = TYPE): Promise<ApiError> {
  try {
    await read(text, type)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('It was accepted')
}

describe('a multipart body', () => {
  it('nests part names like form fields', async () => {
    const body =
      field('amount', '10') + field('payment_method[card][card_number]', '4242') + field('name', 'Zoë') + END
    expect(await read(body)).to.deep.equal({
      amount: '10',
      payment_method: { card: { card_number: '4242' } },
      name: 'Zoë',
    })
  })

  it('refuses a boundary above the maximum length', async () => {
    const boundary = 'x'.repeat(71)
    const type = `multipart/form-data; boundary=${boundary}`
    expect((await refusal(`--${boundary}--\r\n`, type)).message).to.include('longer than 70 characters')
    expect(
      await read((field('a', '1') + END).replaceAll('xyz', boundary.slice(1)), type.slice(0, -1)),
    ).to.deep.equal({
      a: '1',
    })
  })

  it('accepts what FormData sends', async () => {
    const form = new FormData()
    form.append('ledger[0][assoc_transaction_id]', 'txn_1')
    form.append('keep_active', 'false')
    const sent = new Response(form)
    const bytes = Buffer.from(await sent.arrayBuffer())
    expect(await parseMultipart(sent.headers.get('content-type') ?? '', bytes, LIMITS)).to.deep.equal({
      ledger: [{ assoc_transaction_id: 'txn_1' }],
      keep_active: 'false',
    })
  })

  it('has files in the same form as JSON, with their names', async () => {
    const file = (headers: string, value = '%PDF-1.7\r\n\0é') =>
      part(`Content-Disposition: form-data; name="${headers}`, value)
    const whole =
      field('invoice_id', 'inv_1') +
      file('file"; filename="Rechnung März.pdf"\r\nContent-Type: application/pdf') +
      file('attachments[0][file]"; filename="a.txt"', 'hello') +
      file('attachments[1][file]"\r\nContent-Type: application/octet-stream', 'hello') +
      file('attachments[2][file]"; filename="a.txt"', '') +
      file('attrs"\r\nContent-Type: application/json', '{"a":1}') +
      END
    const content = Buffer.from('%PDF-1.7\r\n\0é').toString('base64')
    expect(await read(whole)).to.deep.equal({
      invoice_id: 'inv_1',
      file: `data:application/pdf;name=Rechnung%20M%C3%A4rz.pdf;base64,${content}`,
      attachments: [
        { file: 'data:text/plain;name=a.txt;base64,aGVsbG8=' },
        { file: 'data:application/octet-stream;base64,aGVsbG8=' },
        { file: 'data:text/plain;name=a.txt;base64,' },
      ],
      attrs: '{"a":1}',
    })
  })

  it('is refused if it ends too early, at any position', async () => {
    const whole = field('amount', '10') + field('type', 'payment') + END
    for (let length = 0; length < whole.length - '--\r\n'.length; length++) {
      expect(await refusal(whole.slice(0, length)), `${length} bytes`).to.have.property('type', 'BadRequest')
    }
  })

  it('refuses a truncated file part', async () => {
    const file = '--xyz\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF'
    expect(await refusal(file)).to.have.property('type', 'BadRequest')
  })

  it('refuses parts without a name, and a missing boundary', async () => {
    const nameless = part('Content-Disposition: form-data', '1')
    const bare = part('Content-Type: text/plain', '1')
    for (const text of [nameless + END, bare + END, field('a', '1') + bare + END]) {
      expect(await refusal(text)).to.have.property('type', 'BadRequest')
    }
    expect(await refusal(field('a', '1') + END, 'multipart/form-data')).to.have.property('type', 'BadRequest')
    expect(await refusal('', TYPE)).to.have.property('type', 'BadRequest')
  })

  it('refuses names that reach prototypes, and too many parts', async () => {
    expect((await refusal(field('__proto__[a]', '1') + END)).description).to.contain('forbidden attribute')
    const limits = { ...LIMITS, fields: 2 }
    const many = Buffer.from(field('a', '1') + field('b', '1') + field('c', '1') + END)
    const refused = await parseMultipart(TYPE, many, limits).catch((error: unknown) => error)
    expect(refused).to.be.instanceOf(ApiError).with.property('description', 'At most 2 parts are accepted')
  })
})
