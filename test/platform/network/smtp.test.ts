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
  it('that never answers loses its connection with the message that took too long', async () => {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('It has no port')
    let endOfPatience: () => void = () => undefined
    const after = (_milliseconds: number, run: () => void) => {
      endOfPatience = run
      return () => undefined
    }
    const session = smtpOpener({ reach: { loopback: true }, timers: { after } })({
      host: '127.0.0.1',
      port: address.port,
      security: 'none',
      username: undefined,
      password: undefined,
    })
    const answer = session.send(MAIL)
    const [socket]: Socket[] = await once(server, 'connection')
    if (!socket) throw new Error('There is no connection')
    socket.on('error', () => undefined).write('220 slow.example.com\r\n')
    // It says who it is, and the server is silent from here on.
    await once(socket, 'data')
    endOfPatience()
    expect(await answer).to.deep.equal({
      kind: 'refused',
      problem: 'No answer within 120 seconds',
      isFinal: false,
    })
    await once(socket.resume(), 'close')
    session.close()
    server.close()
  })
})
