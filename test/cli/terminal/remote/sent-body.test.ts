import { expect } from 'chai'
import { bodyOf } from '../../../../src/cli/terminal/remote/sent-body.js'
import { LIMITS } from '../../../../src/http/api/http-limits.js'
import { parseMultipart } from '../../../../src/http/api/multipart.js'
import { writeDataUrl } from '../../../../src/schema/data-url.js'

describe('the body of a request with files', () => {
  it('is sent in several parts where it is large, also with files inside of a list', async () => {
    const bytes = Buffer.alloc(4_000_000, 7)
    const content = writeDataUrl({ name: 'delivery.pdf', bytes })
    const body = { text: 'It was delivered', files: [{ name: 'delivery.pdf', content, as: 'receipt' }] }
    const sent = bodyOf(body, () => 'boundary')
    expect(sent.type).to.equal('multipart/form-data; boundary=boundary')
    const read = await parseMultipart(sent.type, Buffer.from(sent.content), LIMITS)
    expect(read).to.deep.equal(body)
  })

  it('is JSON where it is small', () => {
    expect(bodyOf({ files: [] }, () => 'boundary').type).to.equal('application/json')
  })
})
