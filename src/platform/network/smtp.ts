import { once } from 'node:events'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { createTransport, type Transporter } from 'nodemailer'
import type { Timers } from '../clock.js'
import { isLoopbackAddress, mayReach, type Reach } from './reach.js'
import { type Resolve, reachable, resolveAll, Unreachable } from './reachable.js'

/** SMTP server, with the credentials for it. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** `none` is refused unless the server is this machine itself. */
  readonly security: 'starttls' | 'tls' | 'none'
  readonly username: string | undefined
  readonly password: string | undefined
}

/** Message to one address. None of its texts can begin another header or name another receiver. */
export interface OutgoingMail {
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly replyTo: string | undefined
  readonly subject: string
  readonly text: string
  readonly html: string
  /**
   * Message-ID without angle brackets. It is equal in each attempt, so that receivers can drop duplicates.
   */
  readonly messageId: string
  readonly headers: Readonly<Record<string, string>>
}

/** Outcome of sending a message. */
export type SmtpAnswer =
  | { readonly kind: 'taken' }
  /** `isFinal`: the server will never accept this message. */
  | { readonly kind: 'refused'; readonly problem: string; readonly isFinal: boolean }
  /** Sending was cut off, and the server may have accepted the message. */
  | { readonly kind: 'stopped' }

/** Connections to one server. */
export interface SmtpSession {
  /** Sends a message. Never rejects. */
  send(mail: OutgoingMail, stopping?: AbortSignal): Promise<SmtpAnswer>
  close(): void
}

export interface SmtpOptions {
  readonly reach: Reach
  readonly timers: Timers
  readonly resolve?: Resolve
}

const CONNECT_MILLISECONDS = 10_000
/** Maximum milliseconds without an answer of the server. */
const SILENCE_MILLISECONDS = 30_000
/** Maximum milliseconds for one message. */
const MESSAGE_MILLISECONDS = 120_000
const TOO_LATE: SmtpAnswer = {
  kind: 'refused',
  problem: `No answer within ${MESSAGE_MILLISECONDS / 1_000} seconds`,
  isFinal: false,
}
/** Maximum number of connections that are used at once. */
const CONNECTIONS = 4

/**
 * Makes a function that opens sessions. Each connection uses the address that was checked; the name is not
 * resolved again in between.
 */
export function smtpOpener({ reach, timers, resolve = resolveAll }: SmtpOptions) {
  return (server: SmtpServer): SmtpSession => {
    const transport = transportTo(server, () => guardedSocket(server, reach, resolve))
    return {
      send: async (mail, stopping) =>
        await new Promise((resolve) => {
          // Ends the connection of the message, too. Otherwise the message could be sent after the answer was
          // given.
          const cut = new AbortController()
          const cutOff = (answer: SmtpAnswer) => {
            end(answer)
            cut.abort()
          }
          const stop = () => cutOff({ kind: 'stopped' })
          const cancelTimer = timers.after(MESSAGE_MILLISECONDS, () => cutOff(TOO_LATE))
          const end = (answer: SmtpAnswer) => {
            cancelTimer()
            stopping?.removeEventListener('abort', stop)
            resolve(answer)
          }
          stopping?.addEventListener('abort', stop)
          if (stopping?.aborted) stop()
          else void sent(transport, mail, cut.signal).then(end)
        }),
      close: () => transport.close(),
    }
  }
}

function transportTo(
  { host, port, security, username, password }: SmtpServer,
  open: () => Promise<Socket>,
): Transporter {
  return createTransport({
    host,
    port,
    pool: true,
    maxConnections: CONNECTIONS,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { minVersion: 'TLSv1.2', ...(isIP(host) === 0 && { servername: host }) },
    ...(username !== undefined && { auth: { user: username, pass: password ?? '' } }),
    disableFileAccess: true,
    disableUrlAccess: true,
    greetingTimeout: CONNECT_MILLISECONDS,
    socketTimeout: SILENCE_MILLISECONDS,
    getSocket(_options: unknown, done: (error: Error | null, socket: object) => void) {
      open().then(
        (connection) => done(null, { connection }),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), {}),
      )
    },
  })
}

/**
 * Connects to the server if all its addresses may be reached. Throws `Unreachable` otherwise, and for an
 * unencrypted connection to another machine.
 */
async function guardedSocket({ host, port, security }: SmtpServer, reach: Reach, resolve: Resolve) {
  // An IP address needs no look-up, so it is checked here.
  if (isIP(host) !== 0 && !mayReach(host, reach)) throw new Unreachable(`${host} may not be reached`)
  const lookup: LookupFunction = (name, _options, done) => {
    reachable(name, reach, resolve).then(
      (found) => done(null, found),
      (error: unknown) => done(error instanceof Error ? error : new Unreachable(String(error)), []),
    )
  }
  const socket = connect({ host, port, lookup, autoSelectFamily: true })
  await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MILLISECONDS) }).catch(
    (error: unknown) => {
      socket.destroy()
      throw error
    },
  )
  if (security === 'none' && !isLoopbackAddress(socket.remoteAddress ?? '')) {
    socket.destroy()
    throw new Unreachable(`${host} is not this machine, so its connection must be encrypted`)
  }
  return socket
}

async function sent(transport: Transporter, mail: OutgoingMail, signal: AbortSignal): Promise<SmtpAnswer> {
  const { from, to, replyTo, messageId, headers, ...parts } = mail
  try {
    await transport.sendMail({
      ...parts,
      from,
      to: { name: '', address: to },
      ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
      envelope: { from: from.address, to: [to] },
      messageId: `<${messageId}>`,
      headers,
      xMailer: false,
      signal,
    })
    return { kind: 'taken' }
  } catch (error) {
    return refusalOf(error)
  }
}

/**
 * Refusal for an error during sending. The refusal is final if the server answered with a code of 500 or
 * above that concerns this message or its receiver.
 */
function refusalOf(error: unknown): SmtpAnswer {
  const message = error instanceof Error ? error.message : String(error)
  // The text comes from the server: PostgreSQL stores no NUL, and a terminal interprets other control
  // characters.
  const problem = message.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, MAX_PROBLEM)
  const { code, responseCode }: { code?: unknown; responseCode?: unknown } =
    typeof error === 'object' && error !== null ? error : {}
  const isOfMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  return {
    kind: 'refused',
    problem,
    isFinal: isOfMessage && typeof responseCode === 'number' && responseCode >= 500,
  }
}

/** Maximum characters of an answer that are stored. */
const MAX_PROBLEM = 500
