import { expect } from 'chai'
import Fastify from 'fastify'
import { html } from '../../../src/http/html/html.js'
import { page } from '../../../src/http/html/page.js'
import { ensureVisitor, postedForm, visitorOf } from '../../../src/http/pages/form-tokens.js'
import { seeOther, sendPage } from '../../../src/http/pages/send-page.js'
import { systemRandom } from '../../../src/platform/random.js'

describe('pages over HTTP', () => {
  const server = Fastify({ trustProxy: true })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  server.get('/', (request, reply) =>
    sendPage(reply, 200, page({ title: 'A', body: html`${ensureVisitor(request, reply, systemRandom)}` })),
  )
  server.post('/', (request, reply) => {
    const form = postedForm(request)
    return seeOther(reply, `/${form.get('to')}/${visitorOf(request)}`)
  })

  it('give a visitor an identifying cookie, once', async () => {
    const first = await server.inject('/')
    const cookie = String(first.headers['set-cookie'])
    const visitor = /^payctl_visitor=([\w-]{24}); Path=\/; HttpOnly; SameSite=Lax$/.exec(cookie)?.[1]
    expect(first.body).to.include(`<main>\n${visitor}\n`)
    expect(first.headers['content-security-policy']).to.include("default-src 'none'")
    const again = await server.inject({ url: '/', headers: { cookie: `a=b; payctl_visitor=${visitor}` } })
    expect(again.headers).to.not.have.property('set-cookie')
    expect(again.body).to.include(`<main>\n${visitor}\n`)
    const other = await server.inject({ url: '/', headers: { 'x-forwarded-proto': 'https' } })
    expect(other.headers['set-cookie'])
      .to.match(/; Secure$/)
      .and.to.not.include(visitor)
  })

  it('parse the filled-in form, and redirect', async () => {
    const cookie = `payctl_visitor=${'x'.repeat(24)}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8', cookie }
    const sent = await server.inject({ method: 'POST', url: '/', headers, payload: 'to=a+%C3%A4&to=+b+' })
    expect([sent.statusCode, sent.headers.location]).to.deep.equal([303, `/b/${'x'.repeat(24)}`])
    const text = { 'content-type': 'text/plain' }
    const plain = await server.inject({ method: 'POST', url: '/', headers: text, payload: 'to=a' })
    expect(plain.statusCode).to.equal(415)
  })
})
