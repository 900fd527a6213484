import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect } from 'chai'
import { objectOf } from '../../support/core.js'
import { onSqlite, type Place } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { type Server, startServer } from '../../support/server-process.js'
import { payctl, type Typed } from './payctl.js'

onSqlite((open) => {
  describe('payctl open', () => {
    let place: Place
    let server: Server
    let variables: Record<string, string>
    before(async () => {
      place = await open.place()
      server = await startServer(place)
      variables = { PAYCTL_PUBLIC_URL: server.address }
    })
    after(() => server.stop())

    const run = (words: string, typed: Typed = {}) => payctl(place, words.split(' '), { variables, ...typed })
    const made = async (words: string, input = '') =>
      objectOf(JSON.parse((await run(`${words} --json`, { variables, input })).stdout))

    it('prints the API address, which answers', async () => {
      const { exitCode, stdout, stderr } = await run('open')
      expect({ exitCode, stdout, stderr }).to.deep.equal({
        exitCode: 0,
        stdout: `${server.address}/docs/\n`,
        stderr: '',
      })
      expect((await fetch(stdout.trim())).status).to.equal(200)
    })

    it('prints the page of a payment link and the receipt of a payment', async () => {
      const { id: processing } = await made(
        'processing-accounts create --data -',
        JSON.stringify(processingAccount()),
      )
      const link = await made(`payment-links create --amount 5 --processing-id ${processing}`)
      expect(await run(`open ${link.id}`)).to.include({ exitCode: 0, stdout: `${link.url}\n` })
      const card = '--card 4242424242424242 --expiry 12/39'
      const payment = await made(`transactions pay --amount 5 ${card} --processing ${processing}`)
      const receipt = await run(`open ${payment.id}`)
      expect(receipt.stdout).to.match(/\/receipt\/test\//)
      expect((await fetch(receipt.stdout.trim())).status).to.equal(200)
    })

    it('prints the script element of the components, and the content sources that a page must allow', async () => {
      const { exitCode, stdout } = await run('open components')
      expect(exitCode).to.equal(0)
      const [, address = '', integrity] = /src="(.+?)" integrity="(.+?)" crossorigin/.exec(stdout) ?? []
      const served = await fetch(address, { integrity })
      expect(served.headers.get('cache-control')).to.include('immutable')
      expect(await served.text()).to.include('Payload.Form')
      expect(stdout).to.include(`\nscript-src ${server.address}\nframe-src ${server.address}\n`)
      const apart = await startServer(place, ['--fields-url', 'https://fields.example'])
      const other = { variables: { PAYCTL_PUBLIC_URL: apart.address } }
      const printed = objectOf(JSON.parse((await run('open components --json', other)).stdout))
      expect(printed).to.include({ script_src: apart.address, frame_src: 'https://fields.example' })
      expect(printed.address).to.not.include(new URL(address).pathname)
      await apart.stop()
      const silent = await run('open components', { variables: { PAYCTL_PUBLIC_URL: 'http://127.0.0.1:9' } })
      expect(silent).to.include({ exitCode: 2, stdout: '' })
    })

    it('prints no script element for a different service', async () => {
      const other = createServer((_, response) => response.end('<!doctype html>Welcome')).listen(
        0,
        '127.0.0.1',
      )
      open.atEnd(async () => void other.close())
      await once(other, 'listening')
      const at = other.address()
      const port = typeof at === 'object' ? at?.port : undefined
      const variables = { PAYCTL_PUBLIC_URL: `http://127.0.0.1:${port}` }
      expect(await run('open components', { variables })).to.deep.equal({
        exitCode: 2,
        stdout: '',
        stderr: `error: Nobody serves components at http://127.0.0.1:${port}; start payctl serve\n`,
      })
    })

    it('reports that no server runs, or that an object has no page', async () => {
      const silent = { variables: { PAYCTL_PUBLIC_URL: 'http://127.0.0.1:9' } }
      expect(await run('open', silent)).to.deep.equal({
        exitCode: 0,
        stdout: 'http://127.0.0.1:9/docs/\n',
        stderr: 'Nobody answers at http://127.0.0.1:9; start payctl serve.\n',
      })
      expect(await run('open --print', silent)).to.include({ stderr: '' })
      const customer = await made('customers create --name Ada')
      expect(await run(`open ${customer.id}`)).to.include({ exitCode: 2, stdout: '' })
      expect(await run('open nonsense')).to.include({ exitCode: 2, stdout: '' })
    })
  })
})
