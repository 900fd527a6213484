import { expect } from 'chai'
import fc from 'fast-check'
import { readDataUrl, writeDataUrl } from '../../src/schema/data-url.js'

describe('a file inside JSON', () => {
  it('is restored with any content and any name', () => {
    fc.assert(
      fc.property(
        fc.uint8Array(),
        fc.option(fc.string({ unit: 'grapheme', minLength: 1 })),
        (bytes, name) => {
          const content = { bytes: Buffer.from(bytes), name: name ?? undefined }
          expect(readDataUrl(writeDataUrl(content))).to.deep.equal(content)
        },
      ),
    )
  })

  it('is accepted in notations of other programs', () => {
    const read = (text: string) => {
      const { bytes, name } = readDataUrl(text) ?? {}
      return bytes && [bytes.toString(), name]
    }
    expect(read('data:,hello%20there')).to.deep.equal(['hello there', undefined])
    expect(read('data:text/plain;charset=utf-8,é')).to.deep.equal(['é', undefined])
    expect(read('DATA:text/plain;BASE64,aGk')).to.deep.equal(['hi', undefined])
    expect(read('data:text/plain;name=a%2Cb.txt;base64,aGk=')).to.deep.equal(['hi', 'a,b.txt'])
  })

  it('is refused unless it is complete', () => {
    for (const text of [
      '',
      'hello',
      'data:text/plain;base64',
      'data:;base64,aGk=aGk=',
      'data:;base64,a',
      'data:;base64,häll',
      'data:;base64,aG k=',
      'data:,%E0%A4%A',
      ' data:,x',
    ])
      expect(readDataUrl(text), text).to.equal(undefined)
  })
})
