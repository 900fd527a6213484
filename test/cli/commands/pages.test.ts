import { expect } from 'chai'
import { idOf, objectOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { startServer } from '../../support/server-process.js'
import { payctl } from './payctl.js'

const ADDRESS = 'https://pay.example.com/shop'

onDatabases((open) => {
  describe('commands for pages and webhooks', () => {
    let place: Place
    before(async () => {
      place = await open.place()
    })

    const made = async (words: readonly string[], variables = {}) => {
      const { stdout, stderr } = await payctl(place, [...words, '--json'], { variables })
      expect(stderr).to.equal('')
      return objectOf(JSON.parse(stdout))
    }

    it('print links with the public address', async () => {
      const words = ['payment-links', 'create', '--amount', '12.50']
      const plain = await made(words)
      expect(plain.url).to.equal(`http://127.0.0.1:4242/pay/${plain.id}`)
      const known = await made(words, { PAYCTL_PUBLIC_URL: `${ADDRESS}/` })
      expect(known.url).to.equal(`${ADDRESS}/pay/${known.id}`)
      const wrong = await payctl(place, words, { variables: { PAYCTL_PUBLIC_URL: 'pay.example.com' } })
      expect([wrong.exitCode, wrong.stdout]).to.deep.equal([2, ''])
      expect(wrong.stderr).to.include('https://pay.example.com')
      const { public_url: shown } = await made(['whoami'], { PAYCTL_PUBLIC_URL: ADDRESS })
      expect(shown).to.deep.equal({ value: ADDRESS, from: 'PAYCTL_PUBLIC_URL' })
    })

    it('pass the public address to serve as a flag, too', async () => {
      const { id } = await made(['payment-links', 'create', '--amount', '5'])
      const { secret_key: key } = await made(['keys', 'create'])
      for (const flags of [[], ['--public-url', ADDRESS]]) {
        const server = await startServer(place, flags)
        const headers = { authorization: `Bearer ${key}` }
        const response = await fetch(`${server.address}/payment_links/${id}`, { headers })
        const { url } = objectOf(JSON.parse(await response.text()))
        await server.stop()
        expect(url).to.equal(`${flags[1] ?? server.address}/pay/${id}`)
      }
    })

    it('create client keys, and webhooks with a replaceable secret', async () => {
      const token = await made(['access-tokens', 'create'])
      expect(idOf(token)).to.match(/^test_client_key_/)
      const webhook = await made([
        'webhooks',
        'create',
        '--trigger',
        'payment',
        '--url',
        'https://example.com',
      ])
      const rotated = await made(['webhooks', 'rotate-secret', idOf(webhook), '--overlap', '0'])
      expect(rotated).to.include({ id: webhook.id, previous_secret_until: null })
      expect(rotated.secret)
        .to.match(/^whsec_/)
        .and.not.equal(webhook.secret)
      const wrong = await payctl(place, ['webhooks', 'rotate-secret', 'wh_nobody'])
      expect(wrong.exitCode).to.equal(5)
    })
  })
})
