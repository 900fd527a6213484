import { expect } from 'chai'
import { type Outgoing, openOutgoing } from '../../src/platform/network/outgoing.js'
import { mayReach } from '../../src/platform/network/reach.js'
import type { Resolve } from '../../src/platform/network/reachable.js'
import { agree, type Behaviour, openReceiver, type Receiver } from '../support/receiver.js'

/** Addresses of this machine, of its network, or without a host. */
const NOT_PUBLIC = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '::127.0.0.1',
  '::7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%lo',
  'fec0::1',
  'ff02::1',
  'not an address',
  '',
]
const PUBLIC = [
  '1.1.1.1',
  '9.255.255.255',
  '100.63.0.1',
  '172.32.0.1',
  '198.20.0.1',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450::1',
]

describe('outgoing requests', () => {
  let receiver: Receiver
  let behave: Behaviour = agree
  let port: string
  const opened: Outgoing[] = []

  before(async () => {
    receiver = await openReceiver((received, response) => behave(received, response))
    port = new URL(receiver.address).port
  })
  beforeEach(() => {
    behave = agree
    receiver.received.splice(0)
  })
  after(async () => {
    for (const one of opened) await one.close()
    await receiver.close()
  })

  const open = (loopback: boolean, resolve?: Resolve): Outgoing => {
    const made = openOutgoing({ reach: { loopback }, ...(resolve && { resolve }) })
    opened.push(made)
    return made
  }
  /** A timeout long enough for any answer, however busy the machine is. */
  const request = (url: string) => ({ url, headers: {}, body: '{}', milliseconds: 3_600_000 })
  const leadsTo =
    (...addresses: string[]): Resolve =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

  it('go only to public addresses, and to this machine if allowed', () => {
    for (const loopback of [true, false]) {
      for (const address of PUBLIC) expect(mayReach(address, { loopback }), address).to.equal(true)
      for (const address of NOT_PUBLIC) {
        const isLoopback = address.startsWith('127.') || address === '::1' || address.endsWith(':0:1')
        expect(mayReach(address, { loopback }), address).to.equal(loopback && isLoopback)
      }
    }
  })

  it('never reach this machine, in any notation of its address', async () => {
    const http = open(false)
    const hosts = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '0177.0.0.1',
      '017700000001',
      '0',
      '127.0.0.1.',
      '[::1]',
    ]
    hosts.push(
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[0:0:0:0:0:ffff:127.0.0.1]',
      '[::]',
      '0.0.0.0',
      'localhost',
      '①②⑦.⓪.⓪.①',
    )
    for (const host of hosts) {
      const { status, problem } = await http.post(request(`http://${host}:${port}/`))
      expect([host, status]).to.deep.equal([host, 0])
      expect(problem).to.include('may not be reached')
    }
    expect(receiver.received).to.be.empty
  })

  it('never reach a host name unless all of its addresses are allowed', async () => {
    for (const address of NOT_PUBLIC.filter((one) => one !== '' && !one.includes('not'))) {
      for (const found of [[address], ['1.1.1.1', address]]) {
        const { status, problem } = await open(false, leadsTo(...found)).post(
          request(`http://shop.example:${port}/`),
        )
        expect([address, status]).to.deep.equal([address, 0])
        expect(problem).to.include(`shop.example resolves to ${address}, which may not be reached`)
      }
    }
    const { problem } = await open(false, leadsTo()).post(request('http://shop.example/'))
    expect(problem).to.equal('shop.example has no address')
    expect(receiver.received).to.be.empty
  })

  it('go to the checked address: a name is resolved once, whatever its next answer is', async () => {
    let asked = 0
    const rebinding: Resolve = async () => {
      asked++
      return [{ address: asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }]
    }
    const http = open(true, rebinding)
    expect((await http.post(request(`http://shop.example:${port}/`))).status).to.equal(200)
    expect(asked).to.equal(1)
    const other = open(false, async () => [{ address: asked++ % 2 ? '1.1.1.1' : '127.0.0.1', family: 4 }])
    receiver.received.splice(0)
    await other.post({ ...request(`http://shop.example:${port}/`), milliseconds: 100 })
    await other.post({ ...request(`http://shop.example:${port}/`), milliseconds: 100 })
    expect(receiver.received).to.be.empty
  })

  it('follow no redirect', async () => {
    behave = ({ path }, response) =>
      response.writeHead(path === '/' ? 307 : 200, { location: `${receiver.address}/elsewhere` }).end()
    expect(await open(true).post(request(receiver.address))).to.include({ status: 307 })
    expect(receiver.received.map(({ path }) => path)).to.deep.equal(['/'])
  })

  it('end if no answer begins in time, and when the connection is lost', async () => {
    behave = () => undefined
    expect(await open(true).post({ ...request(receiver.address), milliseconds: 400 })).to.include({
      status: 0,
      problem: 'No answer within 400 ms',
    })
    behave = (_received, response) => response.destroy()
    const { status, problem } = await open(true).post(request(receiver.address))
    expect(status).to.equal(0)
    expect(problem).to.not.equal('')
  })

  it('end in time or when stopped, even while connecting, and are not sent later', async () => {
    let go: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    const http = open(true, async () => {
      await gate
      return [{ address: '127.0.0.1', family: 4 }]
    })
    const url = `http://shop.example:${port}/`
    const stopping = new AbortController()
    const late = http.post({ ...request(url), body: 'late', milliseconds: 50 })
    const stopped = http.post({ ...request(url), body: 'stopped', stopping: stopping.signal })
    stopping.abort()
    expect(await stopped).to.include({ status: 0, problem: 'It was stopped' })
    expect(await late).to.include({ status: 0, problem: 'No answer within 50 ms' })
    const after = { ...request(url), body: 'after', stopping: stopping.signal }
    expect(await http.post(after)).to.include({ status: 0, problem: 'It was stopped' })
    const waiting = http.post({ ...request(url), body: 'waiting' })
    go()
    expect(await waiting).to.include({ status: 200 })
    expect(receiver.received.map(({ body }) => body)).to.deep.equal(['waiting'])
  })

  it('accept an endless answer if its body is not needed, and refuse one whose body is needed', async () => {
    behave = (_received, response) => response.writeHead(200, { 'retry-after': '7' }).write('more to come')
    const http = open(true)
    const asked = { ...request(receiver.address), milliseconds: 400 }
    // On a busy machine, an answer may begin too late. It is then given more time.
    let accepted = await http.post(asked)
    for (let milliseconds = 800; accepted.status === 0 && milliseconds < 60_000; milliseconds *= 2) {
      accepted = await http.post({ ...asked, milliseconds })
    }
    expect(accepted).to.deep.include({ status: 200, retryAfter: '7', body: '' })
    expect(await http.post({ ...asked, bytes: 100 })).to.include({ problem: 'No answer within 400 ms' })
  })

  it('read no more of an answer than needed', async () => {
    let written = 0
    behave = (_received, response) => {
      const part = Buffer.alloc(64 * 1024, 'x')
      const more = () => {
        while (!response.destroyed && response.write(part)) written += part.length
      }
      response.on('drain', more)
      more()
    }
    expect(await open(true).post(request(receiver.address))).to.deep.include({ status: 200, body: '' })
    expect(written).to.be.below(16 * 1024 * 1024)
    const { body } = await open(true).post({ ...request(receiver.address), bytes: 100 })
    expect(body).to.equal('x'.repeat(100))
  })
})
