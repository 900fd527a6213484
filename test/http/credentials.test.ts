import { expect } from 'chai'
import { ApiError } from '../../src/engine/core/request/api-error.js'
import { credentialOf } from '../../src/http/api/authentication.js'
import { BASIC, KEY } from './echo-app.js'
import { injectable } from './inject.js'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

describe('credentials', () => {
  it('are the user name of Basic authentication, or a Bearer token', () => {
    for (const header of [
      BASIC,
      basic(KEY),
      BASIC.replace('Basic', 'basic'),
      `Bearer ${KEY}`,
      `bearer  ${KEY} `,
    ]) {
      expect(credentialOf(header), header).to.equal(KEY)
    }
  })

  it('are refused in any other form', () => {
    const bad = [
      undefined,
      '',
      'Basic',
      'Basic ',
      'Bearer',
      'Digest abc',
      KEY,
      basic(''),
      basic(':'),
      basic(`${KEY}:secret`),
    ]
    for (const header of bad) {
      expect(() => credentialOf(header), String(header))
        .to.throw(ApiError)
        .with.property('type', 'Unauthorized')
    }
  })

  it('are answered with an explained 401 if missing, malformed or unknown, and do not reach the core', async () => {
    const { ask, app } = injectable()
    for (const authorization of [
      '',
      'Digest abc',
      'Bearer unknown',
      basic(`${KEY}:password`),
      basic('unknown:'),
    ]) {
      const answer = await ask({
        method: 'POST',
        url: '/transactions',
        headers: { authorization },
        payload: '{broken',
      })
      expect(answer.status, authorization).to.equal(401)
      expect(answer.body).to.include({ object: 'error', error_type: 'Unauthorized' })
      expect(answer.body.details).to.deep.equal({})
      expect(answer.headers['www-authenticate']).to.match(/^Basic realm="payctl"/)
    }
    expect(app.requests).to.deep.equal([])
  })
})
