import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const START = fileURLToPath(new URL('../../examples/shop-server/start.ts', import.meta.url))

/** Tests the command that `npm run example` runs once the project is built. */
describe('the command that starts an example shop', () => {
  const start = (...words: string[]) => {
    const env = { PATH: process.env['PATH'], SHOP_PORT: '0' }
    return spawn(process.execPath, ['--import', 'tsx', START, ...words], { env })
  }

  for (const name of ['plain-shop', 'react-shop'])
    it(`starts ${name} with its own service, and stops both`, async () => {
      const child = start(name)
      const errors = text(child.stderr)
      const [line] = await once(createInterface(child.stdout), 'line')
      const origin = /^The shop is open at (http:\/\/127\.0\.0\.1:\d+)\/$/.exec(String(line))?.[1]
      const page = await (await fetch(`${origin}/`)).text()
      const service = /src="(?<service>http:\/\/127\.0\.0\.1:\d+)\/Payload\.js"/.exec(page)?.groups?.[
        'service'
      ]
      expect((await fetch(`${service}/Payload.js`)).status).to.equal(200)
      const ordered = await fetch(`${origin}/orders`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: String(origin) },
        body: JSON.stringify({ item: 'mug', quantity: 2 }),
      })
      expect(await ordered.json()).to.include({ amount: '17.00', isPaid: false })

      child.kill('SIGTERM')
      expect(await once(child, 'close')).to.deep.equal([0, null])
      expect(await errors).to.equal('')
      expect(await fetch(`${service}/healthz`).catch(() => 'ended')).to.equal('ended')
    })

  it('lists the existing shops if the given name is unknown', async () => {
    const child = start('shop')
    expect(await text(child.stderr)).to.equal(
      'Which shop? npm run example plain-shop, or npm run example react-shop\n',
    )
    expect(await once(child, 'close')).to.deep.equal([2, null])
  })
})
