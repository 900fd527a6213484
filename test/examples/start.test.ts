import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { onSqlite } from '../support/databases.js'
import { processingAccount } from '../support/examples.js'
import { httpService } from '../support/http.js'

const START = fileURLToPath(new URL('../../examples/shop-server/start.ts', import.meta.url))

/** Tests the command that `npm run example` runs once the project is built. */
describe('the command that starts an example shop', () => {
  const startWith = (variables: Record<string, string>, ...words: string[]) => {
    const env = { PATH: process.env['PATH'], SHOP_PORT: '0', ...variables }
    return spawn(process.execPath, ['--import', 'tsx', START, ...words], { env })
  }
  const start = (...words: string[]) => startWith({}, ...words)
  /** Starts a shop that ends at once. Returns the exit code and what it writes to stderr. */
  const refusal = async (variables: Record<string, string>) => {
    const child = startWith(variables, 'plain-shop')
    const errors = text(child.stderr)
    const [code] = await once(child, 'close')
    return { code, said: await errors }
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

  const MAKE_KEY = 'export SHOP_KEY=$(payctl keys create -o csv --columns secret_key | tail -n 1)'

  it('says in one sentence which variable is missing or wrong, and what to do', async () => {
    const address = 'http://127.0.0.1:4242'
    const cases: [Record<string, string>, string][] = [
      [{ SHOP_SERVICE: address }, `SHOP_KEY is missing: ${MAKE_KEY}`],
      [{ SHOP_SERVICE: address, SHOP_KEY: '' }, `SHOP_KEY is missing: ${MAKE_KEY}`],
      [{ SHOP_SERVICE: address, SHOP_KEY: 'two words' }, `SHOP_KEY is no secret key: ${MAKE_KEY}`],
      [
        { SHOP_KEY: 'test_x' },
        'SHOP_SERVICE is missing: set it to the address that payctl serve prints, or unset SHOP_KEY',
      ],
      [
        { SHOP_SERVICE: 'localhost:4242', SHOP_KEY: 'test_x' },
        'SHOP_SERVICE is no address: set it to the one that payctl serve prints',
      ],
      [{ SHOP_PORT: 'x' }, 'SHOP_PORT is no port: set it to a number below 65536, or unset it'],
    ]
    for (const [variables, said] of cases)
      expect(await refusal(variables)).to.deep.equal({ code: 1, said: `${said}\n` })
  })

  it('says in one sentence that another program, or none, answers at the address of the service', async () => {
    const other = createServer((_, response) => void response.end('<p>Welcome'))
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    const place = other.address()
    const port = typeof place === 'object' ? place?.port : undefined
    const variables = { SHOP_SERVICE: `http://127.0.0.1:${port}`, SHOP_KEY: 'test_x' }
    const correct = 'start payctl serve, or correct SHOP_SERVICE\n'
    expect(await refusal(variables)).to.deep.equal({
      code: 1,
      said: `${variables.SHOP_SERVICE} is no payctl serve: ${correct}`,
    })
    other.close()
    await once(other, 'close')
    expect(await refusal(variables)).to.deep.equal({
      code: 1,
      said: `Nobody answers at ${variables.SHOP_SERVICE}: ${correct}`,
    })
  })

  onSqlite((open) => {
    it('says in one sentence that the service refuses the key, has no account, or that the port is taken', async () => {
      const service = await httpService(await open.migrated())
      try {
        const key = await service.key({ manage: true })
        const variables = { SHOP_SERVICE: `${service.address}/`, SHOP_KEY: key }
        expect(await refusal({ ...variables, SHOP_KEY: 'test_x' })).to.deep.equal({
          code: 1,
          said: `The service at ${service.address} refuses SHOP_KEY: ${MAKE_KEY}\n`,
        })
        expect(await refusal(variables)).to.deep.equal({
          code: 1,
          said: 'The service has no processing account: payctl processing-accounts create\n',
        })
        await service.ask(key, 'POST', '/processing_accounts', processingAccount())
        const { port } = new URL(service.address)
        expect(await refusal({ ...variables, SHOP_PORT: port })).to.deep.equal({
          code: 1,
          said: `The shop cannot listen on port ${port}: set SHOP_PORT to a free one\n`,
        })
      } finally {
        await service.stop()
      }
    })
  })
})
