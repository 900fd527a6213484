import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import type { Databases } from '../../support/databases.js'

/** A message received by an SMTP server. */
export interface TakenMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers by name in lower case, unfolded. */
  readonly headers: ReadonlyMap<string, string>
  readonly raw: string
}

/** An SMTP server on this machine. */
export interface MailReceiver {
  readonly port: number
  readonly taken: TakenMail[]
  /** Sign-ins, as `username:password`. */
  readonly signedIn: string[]
  /** Code and text with which further messages are refused; undefined to accept them. */
  refusal: { readonly code: number; readonly text: string } | undefined
  /** Called with each message; the message is acknowledged after the promise resolves. */
  onMail: ((mail: TakenMail) => unknown) | undefined
}

export async function openReceiver(
  open: Pick<Databases, 'atEnd'>,
  options: { readonly signsIn?: boolean } = {},
): Promise<MailReceiver> {
  const taken: TakenMail[] = []
  const signedIn: string[] = []
  const receiver = { port: 0, taken, signedIn, refusal: undefined, onMail: undefined } as MailReceiver & {
    port: number
  }
  const server = new SMTPServer({
    authOptional: options.signsIn !== true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username = '', password = '' }, _session, done) {
      signedIn.push(`${username}:${password}`)
      done(null, { user: username })
    },
    onRcptTo(_address, _session, done) {
      const { refusal } = receiver
      done(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        const mail = { from, to: envelope.rcptTo.map(({ address }) => address), headers: headersOf(raw), raw }
        taken.push(mail)
        void Promise.resolve(receiver.onMail?.(mail)).then(() => done())
      })
    },
  })
  server.on('error', () => undefined)
  const { server: socket } = server
  server.listen(0, '127.0.0.1')
  await once(socket, 'listening')
  const address = socket.address()
  if (address === null || typeof address === 'string') throw new Error('It has no port')
  receiver.port = address.port
  open.atEnd(async () => await new Promise<void>((resolve) => server.close(resolve)))
  return receiver
}

function headersOf(raw: string): ReadonlyMap<string, string> {
  const [head = ''] = raw.split('\r\n\r\n', 1)
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return new Map(
    lines.map((line) => {
      const end = line.indexOf(':')
      return [line.slice(0, end).toLowerCase(), line.slice(end + 1).trim()]
    }),
  )
}
