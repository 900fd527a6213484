import { expect } from 'chai'
import { foreignText } from '../../../src/domain/mail/messages/mail-content.js'

describe('a text of somebody else in a message', () => {
  it('is cut between characters, so that every database stores it as it is', () => {
    const cut = foreignText(`${'x'.repeat(299)}😀😀`)
    expect(cut).to.equal(`${'x'.repeat(299)}…`)
    expect(Buffer.from(cut).toString()).to.equal(cut)
    expect(foreignText(`${'x'.repeat(298)}😀😀`)).to.equal(`${'x'.repeat(298)}😀…`)
  })

  it('is one line without controls and turned directions', () => {
    expect(foreignText('a\r\nBcc: b@example.com\u202e\u0000c\u2028d')).to.equal('a Bcc: b@example.com c d')
  })
})
