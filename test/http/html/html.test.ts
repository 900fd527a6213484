import { expect } from 'chai'
import fc from 'fast-check'
import { builtElement, element, html } from '../../../src/http/html/html.js'
import { pageAddress } from '../../../src/http/html/page-address.js'

describe('a piece of HTML', () => {
  it('escapes texts, joins lists and omits undefined values', () => {
    const rows = ['<a>', `"b" & 'c'`].map((text) => html`<td>${text}</td>`)
    expect(html`<tr title="${'"'}">${rows}${undefined}</tr>${2}`.text).to.equal(
      '<tr title="&#34;"><td>&#60;a&#62;</td><td>&#34;b&#34; &#38; &#39;c&#39;</td></tr>2',
    )
  })

  it('shows any text except control characters and changes of direction, and never as a tag', () => {
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

describe('a template of a page', () => {
  it('refuses an insert inside a tag but outside quotes', () => {
    const value = 'x'
    expect(() => html`<p ${value}>`).to.throw('has no insert or tag that is allowed here')
    expect(() => html`<p class=${value}>`).to.throw('has no insert or tag')
    expect(() => html`<p class='${value}'>`).to.throw('has no insert or tag')
    expect(() => html`<${value}>`).to.throw('has no insert or tag')
    expect(() => html`<p title="${value}`).to.throw('has no insert or tag')
    expect(() => html`<!-- ${value} -->`).to.throw('has no insert or tag')
  })

  it('is checked at its first use, whatever its inserts are', () => {
    const make = (value: string | undefined) => html`<input ${value}>`
    expect(() => make(undefined)).to.throw('has no insert or tag')
    expect(() => make(undefined)).to.throw('has no insert or tag')
  })

  it('accepts an address only from the function that checks it', () => {
    expect(html`<a href="${pageAddress('a?b=1&c=2')}">there</a>`.text).to.equal(
      '<a href="a?b=1&#38;c=2">there</a>',
    )
    expect(() => html`<a href="${'a'}">there</a>`).to.throw('does not fit its place')
    expect(() => html`<img src="${'a'}" alt="">`).to.throw('does not fit its place')
    expect(() => html`<form action="${'a'}"></form>`).to.throw('does not fit its place')
    expect(() => html`<a href="https://${'a'}">there</a>`).to.throw('href is one whole address')
    expect(() => html`<p title="${pageAddress('a')}"></p>`).to.throw('does not fit its place')
  })

  it('accepts no value as a script, a style or a document', () => {
    expect(() => html`<p onclick="${'a'}"></p>`).to.throw('No value is inserted into onclick')
    expect(() => html`<p style="${'a'}"></p>`).to.throw('No value is inserted into style')
    expect(() => html`<script>${'a'}</script>`).to.throw('Nothing is inserted into a script')
    expect(() => html`<style>${'a'}</style>`).to.throw('Nothing is inserted into a style')
    expect(() => element('p', { onclick: 'a' })).to.throw('No value is inserted into onclick')
    expect(() => element('p', { 'a b': 'a' })).to.throw('No value is inserted into a b')
    expect(() => builtElement({ kind: 'script', text: '"</script>"', source: '' })).to.throw(
      'end of its element',
    )
  })

  it('accepts no HTML inside quotes', () => {
    expect(() => html`<p title="${html`<b>`}"></p>`).to.throw('does not fit its place')
  })

  it('writes an element with the attributes that have a value', () => {
    const attributes = { class: undefined, hidden: true, title: '"', tabindex: -1, autofocus: false }
    expect(element('p', attributes, 'a ', html`<br>`).text).to.equal(
      '<p hidden title="&#34;" tabindex="-1">a <br></p>',
    )
    expect(element('input', { name: 'a' }).text).to.equal('<input name="a">')
  })
})

describe('the address of a page', () => {
  it('is relative, of a known scheme, or an image', () => {
    for (const good of [
      '',
      'plnk_1?method=card',
      '../a',
      '/a:b',
      'https://a.example/b',
      'mailto:a@b.example',
    ])
      expect(pageAddress(good).text).to.equal(good)
    expect(pageAddress('data:image/png;base64,iVBORw0KGgo=').text).to.match(/^data:/)
  })

  it('is never a script or a document, in any spelling', () => {
    for (const bad of [
      'javascript:alert(1)',
      'JavaScript:alert(1)',
      ' javascript:alert(1)',
      'java\nscript:alert(1)',
      '\u0001javascript:alert(1)',
      'vbscript:a',
      'data:text/html,<b>',
      'data:image/svg+xml;base64,PHN2Zz4=',
      'blob:https://a.example/1',
    ])
      expect(() => pageAddress(bad), bad).to.throw('An address of a page')
  })
})

/**
 * Whether a character is invisible, or changes the direction of text; blanks and line ends are not hidden.
 */
function isHidden(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  const isControl = code < 0x20 || (code >= 0x7f && code <= 0x9f)
  const turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
  return turns || (isControl && !'\t\n\r'.includes(character))
}
