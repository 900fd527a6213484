import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openCore } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { makeProcessing } from '../../support/examples.js'
import { startServer } from '../../support/server-process.js'
import { payctl } from './payctl.js'

const PUBLIC = 'https://pay.example.com'

onDatabases((open) => {
  describe('addresses of links', () => {
    let place: Place
    let create: readonly string[]
    before(async () => {
      const core = await openCore(open)
      place = core.place
      const processing = await makeProcessing(core)
      create = [
        'payment-links',
        'create',
        '--type',
        'one_time',
        '--amount',
        '5',
        '--processing-id',
        processing,
      ]
    })

    /** The address of a new link, and the warning about it. */
    const made = async (variables: Readonly<Record<string, string>> = {}) => {
      const { stdout, stderr } = await payctl(place, [...create, '--fields', 'url'], { variables })
      return { url: /http\S+/.exec(stdout)?.[0] ?? stdout, stderr }
    }
    const opened = async (variables: Readonly<Record<string, string>> = {}) =>
      (await payctl(place, ['open', '--print'], { variables })).stdout

    it('begin with the default address of serve, with a warning', async () => {
      const { url, stderr } = await made()
      expect(url).to.match(/^http:\/\/127\.0\.0\.1:4242\/pay\//)
      expect(stderr)
        .to.include('Warning: only this machine reaches the url')
        .and.include('config set public-url')
    })

    it('begin with the port in PAYCTL_PORT, which payctl open uses too', async () => {
      expect((await made({ PAYCTL_PORT: '26999' })).url).to.match(/^http:\/\/127\.0\.0\.1:26999\//)
      expect(await opened({ PAYCTL_PORT: '26999' })).to.equal('http://127.0.0.1:26999/docs/\n')
      const refused = await payctl(place, ['open', '--print'], { variables: { PAYCTL_PORT: 'many' } })
      expect(refused.exitCode).to.equal(2)
      expect(refused.stderr).to.include('PAYCTL_PORT')
    })

    it('begin with the last address of serve in this home', async () => {
      const server = await startServer(place)
      await server.stop()
      expect((await made()).url.startsWith(`${server.address}/pay/`)).to.equal(true)
      expect(await opened()).to.equal(`${server.address}/docs/\n`)
      const shown = await payctl(place, ['whoami', '--json'])
      expect(JSON.parse(shown.stdout).public_url).to.deep.equal({ value: server.address, from: 'serve' })
    })

    it('begin with the public address from a flag, setting or variable, without a warning', async () => {
      const server = await startServer(place, ['--public-url', 'https://served.example.com'])
      await server.stop()
      expect((await made()).url).to.match(/^https:\/\/served\.example\.com\/pay\//)
      await payctl(place, ['config', 'set', 'public-url', `${PUBLIC}/`])
      const { url, stderr } = await made()
      expect(url.startsWith(`${PUBLIC}/pay/`)).to.equal(true)
      expect(stderr).to.equal('')
      const shown = await payctl(place, ['whoami', '--json'])
      expect(JSON.parse(shown.stdout).public_url).to.deep.equal({ value: PUBLIC, from: 'config' })
      expect((await made({ PAYCTL_PUBLIC_URL: 'https://other.example.com' })).url).to.match(
        /^https:\/\/other\./,
      )
      const refused = await payctl(place, ['config', 'set', 'public-url', 'pay'])
      expect(refused.stderr).to.include('Expected an address')
      rmSync(join(place.home, 'settings'), { recursive: true })
    })
  })
})
