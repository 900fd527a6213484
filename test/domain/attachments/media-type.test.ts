import { expect } from 'chai'
import {
  EXTENSIONS,
  extensionFor,
  mediaTypeCalled,
  mediaTypeOf,
} from '../../../src/domain/attachments/media-type.js'
import { contents } from '../../support/files.js'

describe('the media type of an attachment', () => {
  it('is known for each extension that may be attached', () => {
    expect(Object.keys(contents).sort()).to.deep.equal(EXTENSIONS)
    const types = Object.entries(contents).map(([name, bytes]) => [name, mediaTypeOf(`A.${name}`, bytes)])
    expect(Object.fromEntries(types)).to.deep.equal({
      pdf: 'application/pdf',
      png: 'image/png',
      jpg: 'image/jpeg',
      jpeg: 'image/jpeg',
      gif: 'image/gif',
      webp: 'image/webp',
      docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      odt: 'application/vnd.oasis.opendocument.text',
      ods: 'application/vnd.oasis.opendocument.spreadsheet',
      csv: 'text/csv',
      txt: 'text/plain',
    })
  })

  it('is what both the name and the content say', () => {
    const same = [new Set(['jpg', 'jpeg']), new Set(['csv', 'txt'])]
    for (const [name, bytes] of Object.entries(contents))
      for (const called of EXTENSIONS) {
        const isIt = name === called || same.some((set) => set.has(name) && set.has(called))
        const expected = isIt ? mediaTypeCalled(`a.${called}`) : undefined
        // A PDF or an image of plain characters alone is a text as well.
        const isTextToo = ['csv', 'txt'].includes(called) && ['pdf'].includes(name)
        if (!isTextToo) expect(mediaTypeOf(`a.${called}`, bytes), `${name} as ${called}`).to.equal(expected)
      }
  })

  it('is none for anything else', () => {
    const page = Buffer.from('<html><script>alert(1)</script></html>')
    for (const name of [
      'a.html',
      'a.svg',
      'a.js',
      'a.exe',
      'a.pdf.html',
      'pdf',
      'a.',
      '',
      '.htaccess',
      'a.p df',
    ])
      for (const bytes of [page, ...Object.values(contents)])
        expect(mediaTypeOf(name, bytes), name).to.equal(undefined)
    expect(mediaTypeOf('a.pdf', page)).to.equal(undefined)
    expect(mediaTypeOf('a.png', Buffer.from(''))).to.equal(undefined)
    expect(mediaTypeOf('a.txt', Buffer.from('a\0b'))).to.equal(undefined)
    expect(mediaTypeOf('a.csv', Buffer.from([0xff, 0xfe, 0x41, 0x00]))).to.equal(undefined)
    expect(mediaTypeOf('a.xlsx', Buffer.from('PK\x03\x04 an archive of anything'))).to.equal(undefined)
  })

  it('gives a name to what has none', () => {
    const names = Object.entries(contents).map(([name, bytes]) => [name, extensionFor(bytes)])
    expect(Object.fromEntries(names)).to.deep.equal({
      ...Object.fromEntries(Object.keys(contents).map((name) => [name, name])),
      jpeg: 'jpg',
      csv: 'txt',
    })
    expect(extensionFor(Buffer.from([0, 1, 2]))).to.equal(undefined)
  })
})
