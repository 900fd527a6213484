import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { builtScript } from '../../../src/http/html/built-file.js'
import { html } from '../../../src/http/html/html.js'
import { page } from '../../../src/http/html/page.js'

describe('a page for people', () => {
  const made = page({ title: 'A & B', body: html`<h1>${'<Ada>'}</h1>`, script: builtScript('outcome') })
  const hashOf = (tag: string) => {
    const text = new RegExp(`<${tag}>([\\s\\S]*)</${tag}>`).exec(made.text)?.[1] ?? ''
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  }

  it('is complete, and escapes texts written by people', () => {
    expect(made.text).to.match(/^<!doctype html>\n<html lang="en">[\s\S]*<\/html>\n$/)
    expect(made.text).to.include('<title>A &#38; B</title>').and.include('<h1>&#60;Ada&#62;</h1>')
    expect(made.text).to.not.match(/https?:|url\(|@import|undefined/)
  })

  it('allows only its own style and script', () => {
    expect(made.headers['content-security-policy']).to.equal(
      [
        "default-src 'none'",
        `style-src ${hashOf('style')}`,
        `script-src ${hashOf('script')}`,
        'img-src data:',
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    )
    expect(made.headers).to.include({
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
    })
  })

  it('has no script by default, and allows forms to the given targets', () => {
    const { text, headers } = page({
      title: 'A',
      body: html``,
      formTargets: ['https://shop.example'],
      keepsOpener: true,
    })
    expect(text).to.not.include('<script')
    const policy = headers['content-security-policy']
    expect(policy).to.include("form-action 'self' https://shop.example;")
    expect(policy).to.not.include('script-src')
    expect(headers['cross-origin-opener-policy']).to.equal('unsafe-none')
  })
})
