import { expect } from 'chai'
import { EXTENSIONS, extensionFor, mediaTypeCalled } from '../../../src/domain/attachments/media-type.js'
import { contents } from '../../support/files.js'

describe('the media type of an attachment', () => {
  it('is known for each accepted extension', () => {
    expect(Object.keys(contents).sort()).to.deep.equal(EXTENSIONS)
    const types = Object.keys(contents).map((name) => [name, mediaTypeCalled(`A.${name}`)])
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

  it('is undefined for other extensions', () => {
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
      expect(mediaTypeCalled(name), name).to.equal(undefined)
  })

  it('supplies a file name if the sender gives none', () => {
    const names = Object.entries(contents).map(([name, bytes]) => [name, extensionFor(bytes)])
    expect(Object.fromEntries(names)).to.deep.equal({
      ...Object.fromEntries(Object.keys(contents).map((name) => [name, name])),
      jpeg: 'jpg',
      csv: 'txt',
    })
    expect(extensionFor(Buffer.from([0, 1, 2]))).to.equal(undefined)
  })
})
