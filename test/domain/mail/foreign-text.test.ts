import { expect } from 'chai'
import { foreignText } from '../../../src/domain/mail/messages/mail-content.js'

describe('a foreign text in a message', () => {
  it('is cut between characters, so that every database can store it', () => {
    const cut = foreignText(`${'x'.repeat(299)}😀😀`)
    expect(cut).to.equal(`${'x'.repeat(299)}…`)
    expect(Buffer.from(cut).toString()).to.equal(cut)
    expect(foreignText(`${'x'.repeat(298)}😀😀`)).to.equal(`${'x'.repeat(298)}😀…`)
  })

  it('is one line without control characters and changes of direction', () => {
    expect(foreignText('a\r\nBcc: b@example.com\u202e\u0000c\u2028d')).to.equal('a Bcc: b@example.com c d')
  })
})
