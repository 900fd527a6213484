import { expect } from 'chai'
import { addressProblem } from '../../../src/domain/webhooks/receiver-address.js'

describe('the address of a webhook', () => {
  it('is http or https in test, https in live', () => {
    for (const url of [
      'https://example.com',
      'https://example.com/hooks?shop=1',
      'https://example.com:8443/',
      'HTTPS://EXAMPLE.COM',
      'https://[2001:db8::1]/hooks',
    ]) {
      expect(addressProblem('test', url), url).to.equal(undefined)
      expect(addressProblem('live', url), url).to.equal(undefined)
    }
    expect(addressProblem('test', 'http://127.0.0.1:3000/hooks')).to.equal(undefined)
    expect(addressProblem('live', 'http://example.com')).to.equal('Must be an https address in live')
  })

  it('is refused if parsers can read it differently', () => {
    for (const url of [
      '',
      'example.com',
      '//example.com',
      'ftp://example.com',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'https:example.com',
      'https:///example.com',
      'https:\\\\example.com',
      'https://example.com\\@evil.example',
      'https://exa mple.com',
      ' https://example.com',
      'https://example.com/\n',
      'https://exam\tple.com',
      'https://?x=1',
      'https://example.com:99999',
      'https://[::1',
    ]) {
      for (const environment of ['test', 'live'] as const)
        expect(addressProblem(environment, url), JSON.stringify(url)).to.equal(
          'Must be an http or https address',
        )
    }
  })

  it('holds no credentials', () => {
    for (const url of [
      'https://user@example.com',
      'https://user:word@example.com',
      'http://:word@example.com',
    ])
      expect(addressProblem('test', url), url).to.equal('Must not hold a user name or password')
  })
})
