import { expect } from 'chai'
import fc from 'fast-check'
import { html } from '../../../src/http/views/html.js'

describe('a piece of a page', () => {
  it('escapes texts, joins lists and leaves nothing out', () => {
    const rows = ['<a>', `"b" & 'c'`].map((text) => html`<td>${text}</td>`)
    expect(html`<tr title="${'"'}">${rows}${undefined}</tr>${2}`.text).to.equal(
      '<tr title="&#34;"><td>&#60;a&#62;</td><td>&#34;b&#34; &#38; &#39;c&#39;</td></tr>2',
    )
  })

  it('shows any text as it is but for controls and turned directions, and nothing of it as a tag', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { text: written } = html`${text}`
        expect(written).to.not.match(/[<>"']/)
        const read = written.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
        expect(read).to.equal([...text].filter((character) => !isHidden(character)).join(''))
      }),
    )
  })
})

/** Characters that draw nothing, or turn the direction of those after them; blanks and ends of lines stay. */
function isHidden(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f)
  const turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
  return turns || (isControl && !'\t\n\r'.includes(character))
}
