import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { expect } from 'chai'
import { smtpOpener } from '../../../src/platform/network/smtp.js'

const MAIL = {
  from: { name: 'Park Books', address: 'billing@example.com' },
  to: 'ada@example.com',
  replyTo: undefined,
  subject: 'Receipt',
  text: 'Paid',
  html: '<p>Paid</p>',
  messageId: 'mail_1.live@example.com',
  headers: {},
}

describe('a mail server', () => {
  it('that never answers is disconnected when a message takes too long', async () => {
    const { send, connected, close } = await openSession()
    const answer = send()
    const socket = await connected()
    socket.write('220 slow.example.com\r\n')
    // The client has introduced itself; the server sends no further answer.
    await once(socket, 'data')
    close.patience()
    expect(await answer).to.deep.equal({
      kind: 'refused',
      problem: 'No answer within 120 seconds',
      isFinal: false,
    })
    await once(socket.resume(), 'close')
    close.all()
  })

  it('has its answer stored without control characters, which a database or a terminal could refuse', async () => {
    const { send, connected, close } = await openSession()
    const answer = send()
    const socket = await connected()
    socket.end('554 Go\u0000 away\u001b[2J\r\n')
    const given = await answer
    expect(given.kind === 'refused' && given.problem).to.match(/554 Go away \[2J$/)
    close.all()
  })
})

/** A session with a server on this machine that the test controls. */
async function openSession() {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It has no port')
  let patience: () => void = () => undefined
  const after = (_milliseconds: number, run: () => void) => {
    patience = run
    return () => undefined
  }
  const session = smtpOpener({ reach: { loopback: true }, timers: { after } })({
    host: '127.0.0.1',
    port: address.port,
    security: 'none',
    username: undefined,
    password: undefined,
  })
  return {
    send: async () => await session.send(MAIL),
    async connected(): Promise<Socket> {
      const [socket]: Socket[] = await once(server, 'connection')
      if (!socket) throw new Error('There is no connection')
      return socket.on('error', () => undefined)
    },
    close: {
      /** Ends the time limit of a message. */
      patience: () => patience(),
      all() {
        session.close()
        server.close()
      },
    },
  }
}
