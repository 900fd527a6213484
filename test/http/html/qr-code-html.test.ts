import { expect } from 'chai'
import { qrCodeHtml } from '../../../src/http/html/qr-code-html.js'
import { readDrawnCode } from '../../support/read-qr-code.js'

describe('the drawing of a QR code', () => {
  it('encodes texts of every address length, as an independent reader confirms', () => {
    const letters = 'https://pay.example.com/pay/plnk_0V8c?name=Zoë&Ünicode=日本&more='
    for (let length = 1; length < 180; length += 3) {
      const text = letters.padEnd(length, 'abcdefghij').slice(0, length)
      expect(readDrawnCode(qrCodeHtml(text, 'A code').text)).to.equal(text)
    }
  })

  it('has an escaped title, and neither style nor script', () => {
    const { text } = qrCodeHtml('a', 'Pay <b> & "Sons"')
    expect(text).to.include('<title>Pay &#60;b&#62; &#38; &#34;Sons&#34;</title>')
    expect(text)
      .to.include('role="img"')
      .and.not.match(/style=|<style|<script|href|&(?!#\d+;)/)
  })
})
